/** Elements made by hand, for what follows the pointer within the frame. */

import { breakable } from "../../base/short-names";

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className?: string,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className) made.className = className;
  return made;
}

/** Writes a text that is not there yet: to write the same again would lay the page out again. */
export function tell(part: HTMLElement, text: string): void {
  if (part.textContent !== text) part.textContent = text;
}

/** The same for a long name, whose lines break between its parts where they can. */
export function tellName(part: HTMLElement, name: string): void {
  if (part.textContent === name) return;
  const [first = "", ...rest] = breakable(name);
  part.replaceChildren(first, ...rest.flatMap((piece) => [element("wbr"), piece]));
}
