/** The table of a tooltip. Rows and cells are reused: while the pointer moves only texts change. */

import { say } from "../../i18n/words";
import { formatValue } from "../../lib/number";
import { swatchClass } from "../../ui/swatch";
import { partlyNonfiniteText } from "../runs/nonfinite-metrics";
import { useView } from "../view/view";
import { createElement, setName, setText } from "./dom";
import style from "./tip.module.css";

export interface TipRow {
  run: number;
  name: string;
  label: string;
  slot: number;
  /** The name of the tag, in a card of several. */
  tag: string | null;
  tagName: string | null;
  color: string;
  dash: number;
  step: number | null;
  value: number;
  smoothed: number | null;
  /** For a group: the edges of its band, and the number of runs. */
  spread: { lo: number; hi: number } | null;
  members: number | null;
  /** Number of its runs with a non-finite value there. */
  nonfinite: number;
  /** The position of the point if it differs: "9 950". */
  elsewhere: string | null;
  nearest: boolean;
}

export class TipTable {
  readonly element = createElement("table", style.table);
  readonly #head = createElement("thead");
  readonly #heads = ["tip.run", "tip.smoothed", "tip.value"] as const;
  readonly #names = this.#heads.map((_, at) => createElement("th", at === 0 ? style.run : undefined));
  readonly #body = createElement("tbody");
  readonly #lines: TipLine[] = [];

  constructor() {
    const row = createElement("tr");
    for (const name of this.#names) name.scope = "col";
    row.append(...this.#names, createElement("th"));
    this.#head.append(row);
    this.element.append(this.#head, this.#body);
  }

  /** `lead`: the row that differences are relative to; `digits`: significant digits of values that are not whole. */
  show(rows: readonly TipRow[], lead: TipRow | null, digits: number): void {
    const smoothing = rows.some((row) => row.smoothed !== null);
    this.#head.hidden = !smoothing;
    for (const [at, name] of this.#names.entries()) setText(name, say(this.#heads[at]!));
    while (this.#lines.length < rows.length) this.#lines.push(new TipLine());
    for (const [at, row] of rows.entries()) this.#lines[at]!.show(row, smoothing, lead, digits);
    for (let at = this.#body.childElementCount; at < rows.length; at++)
      this.#body.append(this.#lines[at]!.element);
    while (this.#body.childElementCount > rows.length) this.#body.lastElementChild!.remove();
  }
}

class TipLine {
  readonly element = createElement("tr");
  readonly #swatch = createElement("span");
  readonly #name = createElement("bdi", style.name);
  readonly #tag = createElement("bdi", style.near);
  readonly #members = createElement("span", style.near);
  readonly #elsewhere = createElement("span", style.near);
  readonly #smoothed = createElement("td");
  readonly #value = createElement("td");
  readonly #apart = createElement("td", style.apart);

  constructor() {
    const run = createElement("td", style.run);
    run.append(this.#swatch, this.#name, this.#tag, this.#members, this.#elsewhere);
    this.element.append(run, this.#smoothed, this.#value, this.#apart);
  }

  show(row: TipRow, smoothing: boolean, lead: TipRow | null, digits: number): void {
    this.#note(row);
    fill(this.#swatch, swatchClass(row.dash));
    if (this.#swatch.style.backgroundColor !== row.color) this.#swatch.style.backgroundColor = row.color;
    setName(this.#name, row.label);
    tellOr(this.#tag, row.tagName);
    fill(this.#members, row.nonfinite > 0 ? `${style.near} ${style.lost}` : style.near);
    tellOr(this.#members, membersText(row));
    tellOr(this.#elsewhere, row.elsewhere === null ? null : `≈ ${row.elsewhere}`);
    const text = valueText(row, digits);
    // Only the mean of the smoothed lines of a group is known.
    const comesSmoothed = smoothing && row.members !== null;
    tellOr(this.#smoothed, smoothing ? (comesSmoothed ? text : smoothedText(row, digits)) : null);
    fill(this.#value, smoothing ? style.raw : undefined);
    setText(this.#value, comesSmoothed ? "–" : text);
    setText(this.#apart, row === lead || !lead ? "" : difference(row, lead));
  }

  /** Writes exact numbers to data attributes, for tests and scripts. */
  #note({ name, nearest, value, tag, step, smoothed, spread }: TipRow): void {
    fill(this.element, nearest ? style.nearest : undefined);
    const data = {
      run: name,
      nearest: nearest ? "" : null,
      value,
      tag,
      step,
      smoothed,
      lo: spread?.lo,
      hi: spread?.hi,
    };
    const { dataset } = this.element;
    for (const [key, now] of Object.entries(data)) {
      if (now == null) delete dataset[key];
      else if (dataset[key] !== String(now)) dataset[key] = String(now);
    }
  }
}

function fill(part: HTMLElement, className = ""): void {
  if (part.className !== className) part.className = className;
}

/** Hides an empty element. */
function tellOr(part: HTMLElement, text: string | null): void {
  part.hidden = text === null;
  if (text !== null) setText(part, text);
}

function smoothedText({ smoothed }: TipRow, digits: number): string {
  return smoothed === null ? "–" : formatValue(smoothed, digits);
}

/** "n 3", or "n 1 of 3 (2 NaN)". */
function membersText({ members, nonfinite }: TipRow): string | null {
  if (members === null) return null;
  return `n ${nonfinite > 0 ? partlyNonfiniteText(members, nonfinite) : members}`;
}

/** Formats a value with its band: "0.51 ± 0.03" for a group, or from its lower to its upper edge. */
function valueText({ value, spread, members }: TipRow, digits: number): string {
  // A single run has no spread.
  if (spread === null || !Number.isFinite(value) || members === 1) return formatValue(value, digits);
  if (members === null || useView.getState().grouping?.band === "minmax")
    return `${formatValue(value, 4)} (${formatValue(spread.lo, 4)} – ${formatValue(spread.hi, 4)})`;
  return `${formatValue(value, 4)} ± ${formatValue(spread.hi / 2 - spread.lo / 2, 3)}`;
}

function difference(row: TipRow, lead: TipRow): string {
  const apart = (row.smoothed ?? row.value) - (lead.smoothed ?? lead.value);
  return Number.isFinite(apart) ? `Δ ${formatValue(apart, 3)}` : "";
}
