/** Connects gestures to the pointer events of an element. */

import { type GestureEvents, Gestures, type PointerPosition, type PointerPress } from "./gestures";

const LINE_PX = 16;
const PAGE_PX = 400;

/** Listens on `element` until the returned function is called. */
export function listen(element: HTMLElement, events: GestureEvents): () => void {
  const gestures = new Gestures(events, browserTimer);
  const stop = new AbortController();
  const { signal } = stop;
  const touchOf = (event: PointerEvent): PointerPosition => ({
    id: event.pointerId,
    ...placeIn(element, event),
  });
  const on = <K extends keyof HTMLElementEventMap>(
    type: K,
    handle: (event: HTMLElementEventMap[K]) => void,
    options: AddEventListenerOptions = {},
  ) => element.addEventListener(type, handle, { signal, ...options });

  on("pointerdown", (event) => {
    if (event.button === 1) event.preventDefault();
    gestures.down(pressOf(event, touchOf(event)));
    if (gestures.busy && event.pointerType !== "touch") element.setPointerCapture(event.pointerId);
  });
  on("pointermove", (event) => gestures.move(touchOf(event)));
  on("pointerup", (event) => gestures.up(touchOf(event)));
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
  const unit = event.deltaMode === 1 ? LINE_PX : event.deltaMode === 2 ? PAGE_PX : 1;
  const delta = (event.deltaY || event.deltaX) * unit;
  if (gestures.wheel(placeIn(element, event), delta, event.altKey)) event.preventDefault();
}

function pressOf(event: PointerEvent, at: PointerPosition): PointerPress {
  const kind = event.pointerType === "touch" ? "touch" : "mouse";
  return { ...at, button: event.button, grab: event.shiftKey || event.altKey, extend: event.shiftKey, kind };
}

function placeIn(element: HTMLElement, event: MouseEvent): { x: number; y: number } {
  const { left, top } = element.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

const browserTimer = {
  now: () => performance.now(),
  after(ms: number, callback: () => void): () => void {
    const id = setTimeout(callback, ms);
    return () => clearTimeout(id);
  },
};
