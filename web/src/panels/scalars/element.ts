/** Elements made by hand, for what follows the pointer within the frame. */

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
