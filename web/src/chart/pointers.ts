/** Connects gestures to the pointer events of an element. */

import { type PointerPosition, placeIn, pointerAt, wheelPixels } from "../lib/pointer-position";
import { type GestureEvents, Gestures, type PointerPress } from "./gestures";

/** Listens on `element` until the returned function is called. */
export function listen(element: HTMLElement, events: GestureEvents): () => void {
  const gestures = new Gestures(events, browserTimer);
  const stop = new AbortController();
  const { signal } = stop;
  const on = <K extends keyof HTMLElementEventMap>(
    type: K,
    handle: (event: HTMLElementEventMap[K]) => void,
    options: AddEventListenerOptions = {},
  ) => element.addEventListener(type, handle, { signal, ...options });

  on("pointerdown", (event) => {
    if (event.button === 1) event.preventDefault();
    gestures.down(pressOf(event, pointerAt(element, event)));
    if (gestures.busy && event.pointerType !== "touch") element.setPointerCapture(event.pointerId);
  });
  on("pointermove", (event) => gestures.move(pointerAt(element, event)));
  on("pointerup", (event) => gestures.up(pointerAt(element, event)));
  on("pointercancel", () => gestures.cancel());
  on("pointerleave", () => gestures.leave());
  on("dblclick", () => gestures.doubleClick());
  on("dragstart", (event) => event.preventDefault());
  on("wheel", (event) => takeWheel(element, gestures, event), { passive: false });
  element.ownerDocument.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Escape" && gestures.busy) gestures.cancel();
    },
    { signal },
  );
  return () => {
    stop.abort();
    gestures.destroy();
  };
}

function takeWheel(element: HTMLElement, gestures: Gestures, event: WheelEvent): void {
  if (gestures.wheel(placeIn(element, event), wheelPixels(event), event.altKey)) event.preventDefault();
}

function pressOf(event: PointerEvent, at: PointerPosition): PointerPress {
  const kind = event.pointerType === "touch" ? "touch" : "mouse";
  return { ...at, button: event.button, grab: event.shiftKey || event.altKey, extend: event.shiftKey, kind };
}

const browserTimer = {
  now: () => performance.now(),
  after(ms: number, callback: () => void): () => void {
    const id = setTimeout(callback, ms);
    return () => clearTimeout(id);
  },
};
