/** The texts on boxes and lines. */

import type { GraphBox } from "../../api/graphs";
import { count, shortCount } from "../../i18n/format";
import { say } from "../../i18n/words";
import { cutInMiddle } from "../../lib/short-names";
import { NOTE_PX, type TextWidths, TITLE_PX } from "./box-size";
import type { BoxText } from "./geometry/picture";

const MOST_WIDE = 190;

/** The text of a box; of an open stack, that of the member shown, whose path is `content`. */
export function boxText(box: GraphBox, member: number | null, content: string, widths: TextWidths): BoxText {
  const heavy = box.opens;
  const cut = (text: string) =>
    cutInMiddle(text, (each) => widths.of(each, TITLE_PX, heavy ? 600 : 500) <= MOST_WIDE);
  if (member !== null) {
    const name = content.slice(content.lastIndexOf("/") + 1);
    return {
      title: cut(name),
      note: say("graphs.memberOf", { at: count(member + 1), of: count(box.members) }),
    };
  }
  if (box.kind === "rest") return { title: say("graphs.more", { count: count(box.members) }), note: "" };
  const title = box.kind === "stack" ? `${cut(box.label)} × ${count(box.members)}` : cut(box.label);
  if (box.opens) return { title, note: scopeNote(box) };
  const note = cutInMiddle(box.op, (each) => widths.of(each, NOTE_PX, 400) <= MOST_WIDE);
  if (box.kind === "op" && note !== "" && /^\d+$/.test(box.label))
    return { title: cut(box.op), note: box.label };
  return { title, note: isSameName(box.label, box.op) ? "" : note };
}

function scopeNote({ nodes, op, parameters }: GraphBox): string {
  const parts = [op, say("graphs.nodes", { count: nodes })];
  if (parameters) parts.push(parameterText(parameters));
  return parts.filter((part) => part !== "").join(" · ");
}

/** "1 parameter", "151K parameters". */
export function parameterText(parameters: number): string {
  return say("graphs.parameterCount", { number: parameters, count: shortCount(parameters) });
}

/** "add_1" says all that "AddV2" would. */
function isSameName(label: string, op: string): boolean {
  const plain = (name: string) =>
    name
      .toLowerCase()
      .replace(/(?:_\d+)?(?:v\d+)?$/, "")
      .replaceAll("_", "");
  return plain(label) === plain(op);
}

/** The dimensions of a shape, without its type. */
export function edgeText(shape: string): string {
  const space = shape.indexOf(" ");
  return space < 0 ? shape : shape.slice(space + 1);
}
