/**
 * Buttons over the notes of a chart that tell what its range leaves out: a click shows that. They lie beside the chart,
 * which fills its parent: it is a picture to screen readers, and nothing in a picture can be reached.
 */

import type { ChartStats, CornerNote } from "../../chart";
import { say } from "../../words/words";
import style from "./corner-buttons.module.css";
import { element } from "./element";

/** Gestures of the chart begin with these. */
const KEPT = ["pointerdown", "pointermove", "mousedown", "click", "dblclick"] as const;

export class CornerButtons {
  readonly #host: HTMLElement;
  readonly #above: HTMLButtonElement;
  readonly #below: HTMLButtonElement;

  constructor(host: HTMLElement, onShow: () => void) {
    this.#host = host;
    [this.#above, this.#below] = [this.#made("above", onShow), this.#made("below", onShow)];
  }

  tell({ above, below }: ChartStats): void {
    this.#place(this.#above, above);
    this.#place(this.#below, below);
  }

  remove(): void {
    this.#above.remove();
    this.#below.remove();
  }

  #made(where: string, onShow: () => void): HTMLButtonElement {
    const button = element("button", style.button);
    button.type = "button";
    button.dataset.clipped = where;
    for (const kind of KEPT) button.addEventListener(kind, (event) => event.stopPropagation());
    button.addEventListener("click", onShow);
    return button;
  }

  /** The text is drawn by the chart: here it only gives the button its width. */
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
    const { style: look } = button;
    look.top = `${note.y}px`;
    look.left = note.side === "left" ? `${note.inset}px` : "auto";
    look.right = note.side === "right" ? `${note.inset}px` : "auto";
    if (button.parentElement === null) this.#host.after(button);
  }
}
