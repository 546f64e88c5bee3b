/**
 * The tip beside the pointer: what the runs are at one place. One for the page, made by hand, as it follows the
 * pointer within the frame.
 */

import { formatValue } from "../../base/number";
import { useScene } from "../../state/scene";
import { useView } from "../../state/view";
import { swatchClass } from "../../widgets/swatch";
import { say } from "../../words/words";
import style from "./tip.module.css";
import { type Point, placeTip } from "./tip-place";

export interface TipRow {
  run: number;
  name: string;
  label: string;
  slot: number;
  /** In a card of several tags, which, and its name there. */
  tag: string | null;
  tagName: string | null;
  color: string;
  dash: number;
  step: number | null;
  value: number;
  smoothed: number | null;
  /** Of a group: the edges of its band, and how many runs it speaks for. */
  spread: { lo: number; hi: number } | null;
  members: number | null;
  /** Where the point stands if not at the place asked for: "9 950". */
  elsewhere: string | null;
  nearest: boolean;
}

export interface TipContent {
  head: string;
  rows: readonly TipRow[];
  /** The row that differences are measured from. */
  lead: TipRow | null;
}

const ROW_PX = 18;

export class Tip {
  readonly #box: HTMLDivElement;
  #content: TipContent | null = null;
  #at: Point = { x: 0, y: 0 };
  #card: HTMLElement | null = null;
  #all = false;

  constructor() {
    this.#box = document.createElement("div");
    this.#box.className = style.tip!;
    this.#box.dataset.testid = "tip";
    this.#box.setAttribute("role", "tooltip");
    document.body.append(this.#box);
    const shift = (event: KeyboardEvent) => {
      if (event.key === "Shift") this.#setAll(event.type === "keydown");
    };
    addEventListener("keydown", shift);
    addEventListener("keyup", shift);
    // A menu, another window or a moved page takes the place from under the tip. The run table does not: it scrolls
    // by itself to the row of the run under the pointer.
    for (const type of ["blur", "resize"]) addEventListener(type, () => this.hide());
    addEventListener("scroll", (event) => this.#scrolled(event), { capture: true, passive: true });
    addEventListener("pointerdown", () => this.hide(), { capture: true });
  }

  /** `card`: what is under the pointer and better seen than covered. */
  show(content: TipContent, at: Point, card: HTMLElement): void {
    this.#content = content;
    this.#card = card;
    this.#at = at;
    this.#draw();
  }

  hide(): void {
    if (this.#content === null) return;
    this.#content = null;
    delete this.#box.dataset.shown;
    this.#box.replaceChildren();
  }

  #scrolled({ target }: Event): void {
    if (target instanceof Node && target.contains(this.#card)) this.hide();
  }

  #setAll(all: boolean): void {
    this.#all = all;
    if (this.#content) this.#draw();
  }

  #draw(): void {
    const { head, rows, lead } = this.#content!;
    const room = Math.floor((innerHeight - 96) / ROW_PX);
    const asked = useView.getState().tipRows;
    const shown = rows.slice(0, this.#all || asked === 0 ? room : Math.min(asked, room));
    const rest = rows.length - shown.length;
    const parts: HTMLElement[] = [element("div", style.head, head), table(shown, lead)];
    if (rest > 0)
      parts.push(element("div", style.foot, say(this.#all ? "tip.more" : "tip.moreShift", { count: rest })));
    this.#box.replaceChildren(...parts);
    this.#box.dataset.shown = "";
    this.#place();
  }

  #place(): void {
    const { offsetWidth: width, offsetHeight: height } = this.#box;
    const { x, y } = placeTip({ width, height }, this.#at, this.#card?.getBoundingClientRect() ?? null, {
      width: innerWidth,
      height: innerHeight,
    });
    this.#box.style.transform = `translate(${x}px, ${y}px)`;
  }
}

function table(rows: readonly TipRow[], lead: TipRow | null): HTMLTableElement {
  const smoothing = rows.some((row) => row.smoothed !== null);
  const list = element("table", style.table);
  const body = element("tbody");
  if (smoothing) list.append(heads());
  for (const row of rows) body.append(line(row, smoothing, lead));
  list.append(body);
  return list;
}

function heads(): HTMLTableSectionElement {
  const head = element("thead");
  const row = element("tr");
  const words = [say("tip.run"), say("tip.smoothed"), say("tip.value"), ""];
  words.forEach((word, at) => {
    const cell = element("th", at === 0 ? style.run : undefined, word);
    if (word !== "") cell.scope = "col";
    row.append(cell);
  });
  head.append(row);
  return head;
}

function line(row: TipRow, smoothing: boolean, lead: TipRow | null): HTMLTableRowElement {
  const tr = element("tr", row.nearest ? style.nearest : undefined);
  tr.dataset.run = row.name;
  if (row.nearest) tr.dataset.nearest = "";
  tr.dataset.value = String(row.value);
  if (row.tag !== null) tr.dataset.tag = row.tag;
  if (row.step !== null) tr.dataset.step = String(row.step);
  if (row.smoothed !== null) tr.dataset.smoothed = String(row.smoothed);
  if (row.spread !== null) [tr.dataset.lo, tr.dataset.hi] = [row.spread.lo, row.spread.hi].map(String);
  tr.append(runCell(row));
  if (smoothing)
    tr.append(element("td", undefined, row.smoothed === null ? "–" : formatValue(row.smoothed, 6)));
  tr.append(element("td", smoothing ? style.raw : undefined, valueText(row)));
  tr.append(element("td", style.apart, row === lead || !lead ? "" : difference(row, lead)));
  return tr;
}

function runCell(row: TipRow): HTMLTableCellElement {
  const cell = element("td", style.run);
  const swatch = element("span", swatchClass(row.dash));
  swatch.style.backgroundColor = row.color;
  const name = element("bdi", style.name, row.label);
  cell.append(swatch, name);
  if (row.tagName !== null) cell.append(element("bdi", style.near, row.tagName));
  if (row.members !== null) cell.append(element("span", style.near, `n ${row.members}`));
  if (row.elsewhere !== null) cell.append(element("span", style.near, `≈ ${row.elsewhere}`));
  return cell;
}

/** A band is said too: "0.51 ± 0.03" of a group, or from its lower edge to its upper. */
function valueText({ value, spread, members }: TipRow): string {
  if (spread === null) return formatValue(value, 6);
  if (members === null || useView.getState().grouping?.band === "minmax")
    return `${formatValue(value, 4)} (${formatValue(spread.lo, 4)} – ${formatValue(spread.hi, 4)})`;
  return `${formatValue(value, 4)} ± ${formatValue((spread.hi - spread.lo) / 2, 3)}`;
}

function difference(row: TipRow, lead: TipRow): string {
  const apart = (row.smoothed ?? row.value) - (lead.smoothed ?? lead.value);
  return Number.isFinite(apart) ? `Δ ${formatValue(apart, 3)}` : "";
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className?: string,
  text?: string,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

let shared: Tip | null = null;

/** The page's one tip. */
export function tip(): Tip {
  if (shared === null) {
    const made = new Tip();
    // Esc, a card that scrolls away, another page: without a cursor there is no tip.
    useScene.subscribe(({ cursor }) => cursor === null && made.hide());
    shared = made;
  }
  return shared;
}
