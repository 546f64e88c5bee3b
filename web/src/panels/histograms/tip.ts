/** The box beside the pointer: one for the page, made by hand, as it follows the pointer within the frame. */

import type { Reading } from "./reading";
import style from "./tip.module.css";

const AWAY = 14;
const EDGE = 8;

export interface Owner {
  /** The run that is meant. */
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

  /** `near`: what the tip belongs to; it stands on the same layer. */
  show({ head, lines }: Reading, { label, color }: Owner, x: number, y: number, near: HTMLElement): void {
    const layer = near.closest("dialog") ?? document.body;
    if (this.#box.parentElement !== layer) layer.append(this.#box);
    const title = made("div", style.head, head);
    const run = made("div", style.run);
    const swatch = made("span", style.swatch);
    swatch.style.backgroundColor = color;
    run.append(swatch, made("bdi", undefined, label));
    const list = made("dl", style.list);
    for (const { name, value } of lines)
      list.append(made("dt", undefined, name), made("dd", undefined, value));
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

function made<Name extends keyof HTMLElementTagNameMap>(
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
