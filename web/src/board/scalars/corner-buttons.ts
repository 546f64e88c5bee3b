/**
 * Buttons over the notes about points outside the range: a click shows these points. They are siblings of the chart,
 * which is a picture for screen readers, so that nothing inside it can be reached.
 */

import type { ChartStats, CornerNote } from "../../chart";
import { say } from "../../i18n/words";
import style from "./corner-buttons.module.css";
import { createElement } from "./dom";

/** Events with which gestures of the chart begin. */
const KEPT = ["pointerdown", "pointermove", "mousedown", "click", "dblclick"] as const;

export class CornerButtons {
  readonly #host: HTMLElement;
  readonly #above: HTMLButtonElement;
  readonly #below: HTMLButtonElement;

  constructor(host: HTMLElement, onShow: () => void) {
    this.#host = host;
    [this.#above, this.#below] = [this.#createButton("above", onShow), this.#createButton("below", onShow)];
  }

  tell({ above, below }: ChartStats): void {
    this.#place(this.#above, above);
    this.#place(this.#below, below);
  }

  remove(): void {
    this.#above.remove();
    this.#below.remove();
  }

  #createButton(where: string, onShow: () => void): HTMLButtonElement {
    const button = createElement("button", style.button);
    button.type = "button";
    button.dataset.clipped = where;
    for (const kind of KEPT) button.addEventListener(kind, (event) => event.stopPropagation());
    button.addEventListener("click", onShow);
    return button;
  }

  /** The chart draws the text: here it only gives the button its width. */
  #place(button: HTMLButtonElement, note: CornerNote | null): void {
    if (note === null) {
      button.remove();
      return;
    }
    const name = say("chart.showClipped", { note: note.text });
    if (button.title !== name) {
      button.title = name;
      button.setAttribute("aria-label", name);
    }
    if (button.textContent !== note.text) button.textContent = note.text;
    const { style: lineStyle } = button;
    lineStyle.top = `${note.y}px`;
    lineStyle.left = note.side === "left" ? `${note.inset}px` : "auto";
    lineStyle.right = note.side === "right" ? `${note.inset}px` : "auto";
    if (button.parentElement === null) this.#host.after(button);
  }
}
