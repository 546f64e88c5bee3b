/** Announces a text to screen readers: values under a cursor moved with keys. */

import style from "./scalar-card.module.css";

let region: HTMLElement | null = null;

export function announce(text: string): void {
  if (region === null) {
    region = document.createElement("div");
    region.className = style.hidden!;
    region.setAttribute("role", "status");
    document.body.append(region);
  }
  region.textContent = text;
}
