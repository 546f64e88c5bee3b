/** The table of a tip. Its rows and cells stay: while the pointer moves only words change, and few of them. */

import { formatValue } from "../../base/number";
import { someLostText } from "../../state/lost";
import { useView } from "../../state/view";
import { swatchClass } from "../../widgets/swatch";
import { say } from "../../words/words";
import { element, tell, tellName } from "./element";
import style from "./tip.module.css";

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
  /** How many of its runs have a value there that is no number. */
  nonfinite: number;
  /** Where the point stands if not at the place asked for: "9 950". */
  elsewhere: string | null;
  nearest: boolean;
}

export class TipTable {
  readonly element = element("table", style.table);
  readonly #head = element("thead");
  readonly #heads = ["tip.run", "tip.smoothed", "tip.value"] as const;
  readonly #names = this.#heads.map((_, at) => element("th", at === 0 ? style.run : undefined));
  readonly #body = element("tbody");
  readonly #lines: TipLine[] = [];

  constructor() {
    const row = element("tr");
    for (const name of this.#names) name.scope = "col";
    row.append(...this.#names, element("th"));
    this.#head.append(row);
    this.element.append(this.#head, this.#body);
  }

  /** `lead`: the row that differences are measured from; `digits`: significant ones of values that are not whole. */
  show(rows: readonly TipRow[], lead: TipRow | null, digits: number): void {
    const smoothing = rows.some((row) => row.smoothed !== null);
    this.#head.hidden = !smoothing;
    for (const [at, name] of this.#names.entries()) tell(name, say(this.#heads[at]!));
    while (this.#lines.length < rows.length) this.#lines.push(new TipLine());
    for (const [at, row] of rows.entries()) this.#lines[at]!.show(row, smoothing, lead, digits);
    for (let at = this.#body.childElementCount; at < rows.length; at++)
      this.#body.append(this.#lines[at]!.element);
    while (this.#body.childElementCount > rows.length) this.#body.lastElementChild!.remove();
  }
}

class TipLine {
  readonly element = element("tr");
  readonly #swatch = element("span");
  readonly #name = element("bdi", style.name);
  readonly #tag = element("bdi", style.near);
  readonly #members = element("span", style.near);
  readonly #elsewhere = element("span", style.near);
  readonly #smoothed = element("td");
  readonly #value = element("td");
  readonly #apart = element("td", style.apart);

  constructor() {
    const run = element("td", style.run);
    run.append(this.#swatch, this.#name, this.#tag, this.#members, this.#elsewhere);
    this.element.append(run, this.#smoothed, this.#value, this.#apart);
  }

  show(row: TipRow, smoothing: boolean, lead: TipRow | null, digits: number): void {
    this.#note(row);
    dress(this.#swatch, swatchClass(row.dash));
    if (this.#swatch.style.backgroundColor !== row.color) this.#swatch.style.backgroundColor = row.color;
    tellName(this.#name, row.label);
    tellOr(this.#tag, row.tagName);
    dress(this.#members, row.nonfinite > 0 ? `${style.near} ${style.lost}` : style.near);
    tellOr(this.#members, membersText(row));
    tellOr(this.#elsewhere, row.elsewhere === null ? null : `≈ ${row.elsewhere}`);
    const said = saidValue(row, digits);
    // Of a group only the mean of its smoothed lines is known here.
    const comesSmoothed = smoothing && row.members !== null;
    tellOr(this.#smoothed, smoothing ? (comesSmoothed ? said : smoothedText(row, digits)) : null);
    dress(this.#value, smoothing ? style.raw : undefined);
    tell(this.#value, comesSmoothed ? "–" : said);
    tell(this.#apart, row === lead || !lead ? "" : difference(row, lead));
  }

  /** The exact numbers, for tests and for whoever reads the page with a script. */
  #note({ name, nearest, value, tag, step, smoothed, spread }: TipRow): void {
    dress(this.element, nearest ? style.nearest : undefined);
    const told = {
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
    for (const [key, now] of Object.entries(told)) {
      if (now == null) delete dataset[key];
      else if (dataset[key] !== String(now)) dataset[key] = String(now);
    }
  }
}

function dress(part: HTMLElement, className = ""): void {
  if (part.className !== className) part.className = className;
}

/** Nothing to tell takes no room. */
function tellOr(part: HTMLElement, text: string | null): void {
  part.hidden = text === null;
  if (text !== null) tell(part, text);
}

function smoothedText({ smoothed }: TipRow, digits: number): string {
  return smoothed === null ? "–" : formatValue(smoothed, digits);
}

/** "n 3", or "n 1 of 3 (2 NaN)". */
function membersText({ members, nonfinite }: TipRow): string | null {
  if (members === null) return null;
  return `n ${nonfinite > 0 ? someLostText(members, nonfinite) : members}`;
}

/** A band is said too: "0.51 ± 0.03" of a group, or from its lower edge to its upper. */
function saidValue({ value, spread, members }: TipRow, digits: number): string {
  // One run does not spread.
  if (spread === null || !Number.isFinite(value) || members === 1) return formatValue(value, digits);
  if (members === null || useView.getState().grouping?.band === "minmax")
    return `${formatValue(value, 4)} (${formatValue(spread.lo, 4)} – ${formatValue(spread.hi, 4)})`;
  return `${formatValue(value, 4)} ± ${formatValue(spread.hi / 2 - spread.lo / 2, 3)}`;
}

function difference(row: TipRow, lead: TipRow): string {
  const apart = (row.smoothed ?? row.value) - (lead.smoothed ?? lead.value);
  return Number.isFinite(apart) ? `Δ ${formatValue(apart, 3)}` : "";
}
