/** Connects the gestures to pointer, wheel and key events of an element. */

import type { Gestures, PointerPosition, PointerPress } from "./gestures";

const LINE_PX = 16;
const PAGE_PX = 400;

/** Listens on `host` until `signal` aborts; `back` is called on a double click. */
export function listen(host: HTMLElement, gestures: Gestures, back: () => void, signal: AbortSignal): void {
  const on = <Type extends keyof HTMLElementEventMap>(
    type: Type,
    handle: (event: HTMLElementEventMap[Type]) => void,
    passive = true,
  ) => host.addEventListener(type, handle, { signal, passive });
  const press = (event: PointerEvent) => {
    if (event.button === 1) event.preventDefault();
    host.setPointerCapture(event.pointerId);
    gestures.down(pressOf(host, event));
  };
  on("pointerdown", press, false);
  on("pointermove", (event) => gestures.move(touchOf(host, event)));
  on("pointerup", (event) => gestures.up(touchOf(host, event)));
  on("pointercancel", () => gestures.cancel());
  on("pointerleave", () => gestures.leave());
  on("dblclick", back);
  on("contextmenu", (event) => event.preventDefault(), false);
  on("wheel", (event) => takeWheel(host, gestures, event), false);
  const giveUp = (event: KeyboardEvent) => {
    if (event.key === "Escape" && gestures.busy) gestures.cancel();
  };
  document.addEventListener("keydown", giveUp, { signal });
}

function takeWheel(host: HTMLElement, gestures: Gestures, event: WheelEvent): void {
  event.preventDefault();
  const unit = event.deltaMode === 1 ? LINE_PX : event.deltaMode === 2 ? PAGE_PX : 1;
  const { x, y } = touchOf(host, event);
  gestures.wheel(x, y, (event.deltaY || event.deltaX) * unit);
}

function touchOf(host: HTMLElement, event: MouseEvent): PointerPosition {
  const { left, top } = host.getBoundingClientRect();
  const id = event instanceof PointerEvent ? event.pointerId : 0;
  return { id, x: event.clientX - left, y: event.clientY - top };
}

function pressOf(host: HTMLElement, event: PointerEvent): PointerPress {
  const kind = event.pointerType === "touch" ? "touch" : "mouse";
  return { ...touchOf(host, event), button: event.button, extend: event.shiftKey, kind };
}
