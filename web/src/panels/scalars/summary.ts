/** The line at the right of a card's title: the card at rest, one run's value, the step of the cursor, or a range. */

import { formatStep, withMinus } from "../../base/number";
import { valueText } from "../../chart";
import { swatchClass } from "../../widgets/swatch";
import { say } from "../../words/words";
import { element, tell } from "./element";
import type { Look } from "./look";
import { changeOf, type RangeStatistics } from "./statistics";

/** A run in front and what it says. */
export interface FrontValue extends Look {
  value: number;
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
  readonly #step = element("span");
  readonly #time = element("span");
  readonly #range = element("span");

  /** `card` is told whether the line shows a place, as its style goes by that. */
  constructor(line: HTMLElement, card: HTMLElement) {
    this.#line = line;
    this.#card = card;
    this.#step.dataset.testid = "cursor-step";
    this.#time.dataset.testid = "cursor-time";
    this.#range.dataset.testid = "range-summary";
  }

  /** "10 runs · step 9 990"; nothing without points. `lastStep` null: the axis is a time. */
  rest(runs: number, lastStep: number | null): void {
    this.#show([]);
    if (runs === 0) tell(this.#line, "");
    else if (lastStep === null) tell(this.#line, say("card.runs", { runs }));
    else tell(this.#line, say("card.summary", { runs, step: formatStep(lastStep) }));
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
    this.#step.dataset.step = String(step);
    tell(this.#step, say("tip.step", { step: formatStep(step) }));
    this.#show([...(front ? this.#valueParts(front) : []), this.#step]);
  }

  /** "● Δ −0.41 (−12 %)" of the run in front, else the steps of the range. */
  range([from, to]: readonly [number, number], front: FrontRange | null): void {
    this.#range.dataset.from = String(from);
    this.#range.dataset.to = String(to);
    const steps = { from: formatStep(from), to: formatStep(to) };
    tell(this.#range, front ? changeText(front.statistics) : say("range.steps", steps));
    this.#show([...(front ? [this.#dressed(front)] : []), this.#range]);
  }

  #show(parts: readonly HTMLElement[]): void {
    this.#card.toggleAttribute("data-at-step", parts.includes(this.#step) || parts.includes(this.#time));
    const { children } = this.#line;
    if (parts.length === 0 && children.length === 0) return;
    if (parts.length !== children.length || parts.some((part, at) => part !== children[at]))
      this.#line.replaceChildren(...parts);
  }

  #valueParts({ value, ...look }: FrontValue): HTMLElement[] {
    tell(this.#value, valueText(value, 4));
    return [this.#dressed(look), this.#value];
  }

  #dressed({ color, dash }: Look): HTMLElement {
    this.#swatch.className = swatchClass(dash);
    this.#swatch.style.backgroundColor = color;
    return this.#swatch;
  }
}

/** "Δ −0.41 (−12 %)"; of thinned points "≈" says that the ends are the nearest drawn ones. */
export function changeText(statistics: RangeStatistics): string {
  const { by, part } = changeOf(statistics);
  const percent = Number.isFinite(part) ? ` (${percentText(part)})` : "";
  return `${statistics.estimates.length > 0 ? "≈ " : ""}Δ ${valueText(by, 3)}${percent}`;
}

/** "+12 %", "−0.4 %". */
export function percentText(part: number): string {
  const size = Math.abs(part * 100);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return `${part > 0 ? "+" : ""}${withMinus((part * 100).toFixed(digits))}\u2009%`;
}
