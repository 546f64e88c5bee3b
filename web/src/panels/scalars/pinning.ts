/** The pinned step and the range beside it, as clicks and handles change them. */

import type { Handle } from "../../chart";
import { change, commit, useView } from "../../state/view";
import type { Pin, Span } from "../../state/viewstate";

/** A click keeps the step; the same step again lets it go. A range ends with it. */
export function togglePinned(pin: Pin): void {
  const { pin: before } = useView.getState();
  commit({ pin: before?.step === pin.step ? null : pin, range: null });
}

/** Shift and a click: from the pinned step to this one. */
export function extendPin(to: Pin): void {
  const { pin } = useView.getState();
  if (pin === null) togglePinned(to);
  else commit({ range: ordered(pin.step, to.step) });
}

/** A handle is dragged. The pin stays at the end of the range where it was. */
export function dragHandle(handle: Handle, step: number, final: boolean): void {
  const { pin, range } = useView.getState();
  const put = final ? commit : change;
  if (handle === "pin") {
    if (pin) put({ pin: { ...pin, step } });
    return;
  }
  if (range === null) return;
  const [still, moved] = handle === "from" ? [range[1], range[0]] : [range[0], range[1]];
  const next = ordered(still, step);
  const carried = pin && pin.step === moved ? { ...pin, step } : pin;
  if (next !== null) put({ range: next, pin: carried });
}

function ordered(a: number, b: number): Span | null {
  if (a === b) return null;
  return a < b ? [a, b] : [b, a];
}
