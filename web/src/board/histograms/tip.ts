/** The tooltip, one per page. Created without React, as it follows the pointer within the frame. */

import style from "./tip.module.css";
import type { Reading } from "./tip-content";

const AWAY = 14;
const EDGE = 8;

export interface Owner {
  /** The run of the tooltip. */
  label: string;
  color: string;
}

class Tip {
  readonly #box = document.createElement("div");

  constructor() {
    this.#box.className = style.tip!;
    this.#box.dataset.testid = "tip";
    this.#box.setAttribute("role", "tooltip");
    for (const type of ["blur", "resize"]) addEventListener(type, () => this.hide());
    addEventListener("scroll", () => this.hide(), { capture: true, passive: true });
    addEventListener("pointerdown", () => this.hide(), { capture: true });
  }

  /** `near`: the element of the tooltip, whose layer it is added to. */
  show({ head, lines }: Reading, { label, color }: Owner, x: number, y: number, near: HTMLElement): void {
    const layer = near.closest("dialog") ?? document.body;
    if (this.#box.parentElement !== layer) layer.append(this.#box);
    const title = createElement("div", style.head, head);
    const run = createElement("div", style.run);
    const swatch = createElement("span", style.swatch);
    swatch.style.backgroundColor = color;
    run.append(swatch, createElement("bdi", undefined, label));
    const list = createElement("dl", style.list);
    for (const { name, value } of lines)
      list.append(createElement("dt", undefined, name), createElement("dd", undefined, value));
    this.#box.replaceChildren(title, run, list);
    this.#box.dataset.shown = "";
    const { offsetWidth: width, offsetHeight: height } = this.#box;
    const right = x + AWAY + width + EDGE <= innerWidth;
    const left = right ? x + AWAY : Math.max(EDGE, x - AWAY - width);
    const top = Math.max(EDGE, Math.min(innerHeight - height - EDGE, y - height / 2));
    this.#box.style.transform = `translate(${left}px, ${top}px)`;
  }

  hide(): void {
    delete this.#box.dataset.shown;
  }
}

function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className?: string,
  text?: string,
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

let shared: Tip | null = null;

export function tip(): Tip {
  shared ??= new Tip();
  return shared;
}
