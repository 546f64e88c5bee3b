/**
 * Observes sizes of elements. One observer for all, so that cards laid out together also send their requests
 * together.
 */

export type OnSize = (size: DOMRectReadOnly) => void;

const listeners = new Map<Element, OnSize>();
let observer: ResizeObserver | null = null;

/** Observes the size of an element, one listener each; returns a function that stops it. */
export function observeSize(element: Element, onSize: OnSize): () => void {
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
