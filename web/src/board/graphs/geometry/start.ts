/** Where the flow of a scope begins, which is what has to be in view first. */

import type { Picture } from "./picture";
import { centerOf, type Point } from "./shapes";

/** The upper port of an open box, otherwise the middle one of the uppermost boxes; null if nothing flows. -1 is the graph. */
export function startOf({ boxes, wires }: Picture, scope: number): Point | null {
  const inside = wires.filter((wire) => wire.scope === scope && wire.curve.length > 0);
  const entering = inside.find(({ source }) => source === -1);
  if (entering) return { x: entering.curve[0]!, y: entering.curve[1]! };
  const fed = new Set(inside.map(({ target }) => target));
  const sources = [...new Set(inside.map(({ source }) => source))].filter((at) => !fed.has(at));
  const starts = sources.map((at) => boxes[at]!.rect);
  const top = Math.min(...starts.map(({ y }) => y));
  const first = starts.filter((rect) => rect.y <= top + rect.height).sort((a, b) => a.x - b.x);
  const middle = first[Math.floor(first.length / 2)];
  return middle ? centerOf(middle) : null;
}
