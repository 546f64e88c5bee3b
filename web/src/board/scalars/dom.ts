/** Creates and updates elements without React, for what follows the pointer within the frame. */

import { breakablePieces } from "../../lib/short-names";

export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className?: string,
): HTMLElementTagNameMap[Name] {
  const node = document.createElement(name);
  if (className) node.className = className;
  return node;
}

/** Sets a text if it changed: setting the same text again would trigger a layout. */
export function setText(part: HTMLElement, text: string): void {
  if (part.textContent !== text) part.textContent = text;
}

/** The same for a long name, which breaks between its parts if possible. */
export function setName(part: HTMLElement, name: string): void {
  if (part.textContent === name) return;
  const [first = "", ...rest] = breakablePieces(name);
  part.replaceChildren(first, ...rest.flatMap((piece) => [createElement("wbr"), piece]));
}
