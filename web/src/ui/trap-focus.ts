/** Keeps Tab inside a dialog: from its last control to its first, and back. */

import type { KeyboardEvent } from "react";

/** To be called when Tab is pressed; `selector` finds the controls of the dialog. */
export function trapFocus(event: KeyboardEvent, selector: string): void {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const [first, last] = [stops[0], stops.at(-1)];
  const at = document.activeElement;
  const wraps = event.shiftKey ? at === first || at === event.currentTarget : at === last;
  if (!wraps) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
