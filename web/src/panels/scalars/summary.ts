/** The line at the right of a card's title: the card at rest, one run's value, the step of the cursor, or a range. */

import { formatStep, formatValue, withMinus } from "../../base/number";
import { swatchClass } from "../../widgets/swatch";
import { say } from "../../words/words";
import type { Look } from "./look";
import { changeOf, type RangeStatistics } from "./statistics";

/** A run in front and what it says. */
export interface FrontValue extends Look {
  value: number;
}

export interface FrontRange extends Look {
  statistics: RangeStatistics;
}

export class Summary {
  readonly #line: HTMLElement;

  constructor(line: HTMLElement) {
    this.#line = line;
  }

  /** "10 runs · step 9 990"; nothing without points. `lastStep` null: the axis is a time. */
  rest(runs: number, lastStep: number | null): void {
    if (runs === 0) this.#line.textContent = "";
    else if (lastStep === null) this.#line.textContent = say("card.runs", { runs });
    else this.#line.textContent = say("card.summary", { runs, step: formatStep(lastStep) });
  }

  /** "● 0.4123", the last value of a run. */
  value(front: FrontValue | null): void {
    this.#line.replaceChildren(...(front ? valueParts(front) : []));
  }

  /** "● 0.4123 step 5 250". */
  cursor(step: number, front: FrontValue | null): void {
    const at = document.createElement("span");
    at.dataset.testid = "cursor-step";
    at.dataset.step = String(step);
    at.textContent = say("tip.step", { step: formatStep(step) });
    this.#line.replaceChildren(...(front ? valueParts(front) : []), at);
  }

  /** "● Δ −0.41 (−12 %)" of the run in front, else the steps of the range. */
  range([from, to]: readonly [number, number], front: FrontRange | null): void {
    const text = document.createElement("span");
    text.dataset.testid = "range-summary";
    text.dataset.from = String(from);
    text.dataset.to = String(to);
    text.textContent = front
      ? changeText(front.statistics)
      : say("range.steps", { from: formatStep(from), to: formatStep(to) });
    this.#line.replaceChildren(...(front ? [swatchOf(front)] : []), text);
  }
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

function valueParts({ value, ...look }: FrontValue): HTMLElement[] {
  const text = document.createElement("b");
  text.textContent = formatValue(value, 4);
  return [swatchOf(look), text];
}

function swatchOf({ color, dash }: Look): HTMLElement {
  const swatch = document.createElement("span");
  swatch.className = swatchClass(dash);
  swatch.style.backgroundColor = color;
  return swatch;
}
