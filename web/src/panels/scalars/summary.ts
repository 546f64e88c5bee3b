/** The line at the right of a card's title: the card at rest, one run's value, or the step of the cursor. */

import { formatStep, formatValue } from "../../base/number";
import { swatchClass } from "../../widgets/swatch";
import { say } from "../../words/words";
import type { Look } from "./look";

/** A run in front and what it says. */
export interface FrontValue extends Look {
  value: number;
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
}

function valueParts({ color, dash, value }: FrontValue): HTMLElement[] {
  const swatch = document.createElement("span");
  swatch.className = swatchClass(dash);
  swatch.style.backgroundColor = color;
  const text = document.createElement("b");
  text.textContent = formatValue(value, 4);
  return [swatch, text];
}
