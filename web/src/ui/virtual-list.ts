/**
 * Measures virtual lists with observers: reading an element's size or position during a change forces the browser to
 * lay out the page at once, and again when the change is complete.
 */

import { elementScroll, type Rect, type Virtualizer } from "@tanstack/react-virtual";

type List = Virtualizer<HTMLDivElement, Element>;

/** Reports the size of a list's scroll box after layout and whenever it changes; returns a function that stops it. */
export function observeListRect(list: List, onRect: (rect: Rect) => void): () => void {
  const observer = new ResizeObserver(([entry]) => {
    const { inlineSize, blockSize } = entry!.borderBoxSize[0]!;
    onRect({ width: Math.round(inlineSize), height: Math.round(blockSize) });
  });
  observer.observe(list.scrollElement!);
  return () => observer.disconnect();
}

/** Scrolls unless the list is already there, as at the start. */
export function scrollIfNeeded(
  offset: number,
  options: Parameters<typeof elementScroll>[1],
  list: List,
): void {
  if (offset + (options.adjustments ?? 0) !== list.scrollOffset) elementScroll(offset, options, list);
}
