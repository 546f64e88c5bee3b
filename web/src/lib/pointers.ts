/** Connects the gestures to pointer, wheel and key events of an element. */

import type { Gestures, PointerPress } from "./gestures";
import { placeIn, pointerAt, wheelPixels } from "./pointer-position";

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
  on("pointermove", (event) => gestures.move(pointerAt(host, event)));
  on("pointerup", (event) => gestures.up(pointerAt(host, event)));
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
  const { x, y } = placeIn(host, event);
  gestures.wheel(x, y, wheelPixels(event));
}

function pressOf(host: HTMLElement, event: PointerEvent): PointerPress {
  const kind = event.pointerType === "touch" ? "touch" : "mouse";
  return { ...pointerAt(host, event), button: event.button, extend: event.shiftKey, kind };
}
