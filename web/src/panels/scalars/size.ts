/**
 * Sizes of elements, told when they were laid out and whenever they change. One observer for all: what several cards
 * learn at once they ask the server for at once.
 */

export type OnSize = (size: DOMRectReadOnly) => void;

const listeners = new Map<Element, OnSize>();
let observer: ResizeObserver | null = null;

/** Follows the size of an element, one listener each; returns the way to stop. */
export function followSize(element: Element, onSize: OnSize): () => void {
  observer ??= new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) listeners.get(target)?.(contentRect);
  });
  listeners.set(element, onSize);
  observer.observe(element);
  return () => {
    observer?.unobserve(element);
    listeners.delete(element);
  };
}
