/** Where a pointer is in an element, and how far a wheel was turned, in pixels. */

export interface Place {
  x: number;
  y: number;
}

export interface PointerPosition extends Place {
  id: number;
}

const LINE_PX = 16;
const PAGE_PX = 400;

export function placeIn(element: HTMLElement, event: MouseEvent): Place {
  const { left, top } = element.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

export function pointerAt(element: HTMLElement, event: PointerEvent): PointerPosition {
  return { id: event.pointerId, ...placeIn(element, event) };
}

/** Of the vertical wheel; of the horizontal one if that is still. */
export function wheelPixels(event: WheelEvent): number {
  const unit = event.deltaMode === 1 ? LINE_PX : event.deltaMode === 2 ? PAGE_PX : 1;
  return (event.deltaY || event.deltaX) * unit;
}
