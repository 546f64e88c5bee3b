/** Changes the pinned step and the selected range after clicks and drags. */

import type { Handle } from "../../chart";
import { change, commit, useView } from "../view/view";
import type { Pin, Span } from "../view/view-state";

/** Pins a step; again, it unpins it. The range is cleared. */
export function togglePinned(pin: Pin): void {
  const { pin: before } = useView.getState();
  commit({ pin: before?.step === pin.step ? null : pin, range: null });
}

/** Shift+click: selects the range from the pinned step to this one. */
export function extendPin(to: Pin): void {
  const { pin } = useView.getState();
  if (pin === null) togglePinned(to);
  else commit({ range: ordered(pin.step, to.step) });
}

/** Drags a handle. The pin stays at the end of the range where it was. */
export function dragHandle(handle: Handle, step: number, final: boolean): void {
  const { pin, range } = useView.getState();
  const apply = final ? commit : change;
  if (handle === "pin") {
    if (pin) apply({ pin: { ...pin, step } });
    return;
  }
  if (range === null) return;
  const [still, moved] = handle === "from" ? [range[1], range[0]] : [range[0], range[1]];
  const next = ordered(still, step);
  const carried = pin && pin.step === moved ? { ...pin, step } : pin;
  if (next !== null) apply({ range: next, pin: carried });
}

function ordered(a: number, b: number): Span | null {
  if (a === b) return null;
  return a < b ? [a, b] : [b, a];
}
