/**
 * The line at the right of a card's title: the card at rest, one run's value, the step of the cursor, what the runs say
 * at the pinned one, or a range.
 */

import { formatStep, formatValue, withMinus } from "../../base/number";
import { swatchClass } from "../../widgets/swatch";
import { say } from "../../words/words";
import { element, tell } from "./element";
import type { Look } from "./look";
import { changeOf, type RangeStatistics } from "./statistics";
import style from "./summary.module.css";

/** A run in front and what it says. */
export interface FrontValue extends Look {
  value: number;
}

/** What a run says at the pinned step. */
export interface PinnedValue extends FrontValue {
  /** The run has no point there: this is the nearest. */
  near: boolean;
}

export interface FrontRange extends Look {
  statistics: RangeStatistics;
}

/** Written within the frame on every card at once: its parts stay, and only what they say changes. */
export class Summary {
  readonly #line: HTMLElement;
  readonly #card: HTMLElement;
  readonly #swatch = element("span");
  readonly #value = element("b");
  readonly #otherSwatch = element("span");
  readonly #otherValue = element("b");
  readonly #to = element("span");
  readonly #ends = element("span", style.ends);
  readonly #runs = element("span");
  readonly #last = element("span", style.last);
  readonly #step = element("span");
  readonly #time = element("span");
  readonly #range = element("span");

  /** `card` is told whether the line shows a place, as its style goes by that. */
  constructor(line: HTMLElement, card: HTMLElement) {
    this.#line = line;
    this.#card = card;
    this.#to.textContent = "–";
    this.#ends.dataset.testid = "pinned-values";
    this.#step.dataset.testid = "cursor-step";
    this.#time.dataset.testid = "cursor-time";
    this.#range.dataset.testid = "range-summary";
  }

  /** "10 runs · step 9 990"; nothing without points. `lastStep` null: the axis is a time. */
  rest(runs: number, lastStep: number | null): void {
    tell(this.#runs, say("card.runs", { runs }));
    if (lastStep !== null) tell(this.#last, ` · ${say("tip.step", { step: formatStep(lastStep) })}`);
    this.#show(runs === 0 ? [] : lastStep === null ? [this.#runs] : [this.#runs, this.#last]);
  }

  /** "● 0.4123", the last value of a run. */
  value(front: FrontValue | null): void {
    this.#show(front ? this.#valueParts(front) : []);
    if (!front) tell(this.#line, "");
  }

  /** "● 0.4123 +12 m 5 s": where time is the axis each run is at a step of its own. */
  time(at: string, front: FrontValue | null): void {
    tell(this.#time, at);
    this.#show([...(front ? this.#valueParts(front) : []), this.#time]);
  }

  /** "● 0.4123 step 5 250". */
  cursor(step: number, front: FrontValue | null): void {
    this.#tellStep(step);
    this.#show([...(front ? this.#valueParts(front) : []), this.#step]);
  }

  /** "● 0.4123 – ● 0.4711 step 5 250": the least and the greatest value, or the only one; what all say has no colour. */
  pinned(step: number, least: PinnedValue | null, greatest: PinnedValue | null): void {
    this.#tellStep(step);
    const parts: HTMLElement[] = [];
    const agreed = greatest !== null && Object.is(greatest.value, least?.value);
    if (least && !agreed) parts.push(dressed(this.#swatch, least));
    if (least) parts.push(told(this.#value, least));
    if (greatest && !agreed)
      parts.push(this.#to, dressed(this.#otherSwatch, greatest), told(this.#otherValue, greatest));
    place(this.#ends, parts);
    this.#show([this.#ends, this.#step]);
  }

  /** "● Δ −0.41 (−12 %)" of the run in front, else the steps of the range. */
  range([from, to]: readonly [number, number], front: FrontRange | null): void {
    this.#range.dataset.from = String(from);
    this.#range.dataset.to = String(to);
    const steps = { from: formatStep(from), to: formatStep(to) };
    tell(this.#range, front ? changeText(front.statistics) : say("range.steps", steps));
    this.#show([...(front ? [dressed(this.#swatch, front)] : []), this.#range]);
  }

  #tellStep(step: number): void {
    this.#step.dataset.step = String(step);
    tell(this.#step, say("tip.step", { step: formatStep(step) }));
  }

  #show(parts: readonly HTMLElement[]): void {
    this.#card.toggleAttribute("data-at-step", parts.includes(this.#step) || parts.includes(this.#time));
    if (parts.length > 0 || this.#line.children.length > 0) place(this.#line, parts);
  }

  #valueParts(front: FrontValue): HTMLElement[] {
    return [dressed(this.#swatch, front), told(this.#value, { ...front, near: false })];
  }
}

/** Moves nothing that is in its place. */
function place(line: HTMLElement, parts: readonly HTMLElement[]): void {
  const { children } = line;
  if (parts.length !== children.length || parts.some((part, at) => part !== children[at]))
    line.replaceChildren(...parts);
}

function dressed(swatch: HTMLElement, { color, dash }: Look): HTMLElement {
  swatch.className = swatchClass(dash);
  swatch.style.backgroundColor = color;
  return swatch;
}

/** The exact number as well, for whoever reads the page with a script. */
function told(part: HTMLElement, { value, near }: PinnedValue): HTMLElement {
  part.dataset.value = String(value);
  tell(part, `${near ? "≈ " : ""}${formatValue(value, 4)}`);
  return part;
}

/** "Δ −0.41 (−12 %)"; of thinned points "≈" says that the ends are the nearest drawn ones. */
export function changeText(statistics: RangeStatistics): string {
  const { by, part } = changeOf(statistics);
  const percent = Number.isFinite(part) ? ` (${percentText(part)})` : "";
  return `${statistics.estimates.length > 0 ? "≈ " : ""}Δ ${formatValue(by, 3)}${percent}`;
}

/** "+12 %", "−0.4 %". */
export function percentText(part: number): string {
  const size = Math.abs(part * 100);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return `${part > 0 ? "+" : ""}${withMinus((part * 100).toFixed(digits))}\u2009%`;
}
