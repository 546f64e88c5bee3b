/**
 * How long lists learn where they are without asking: to ask an element for its size or place in the middle of a
 * change makes the browser lay out the page at once, and once more when the change is done.
 */

import { elementScroll, type Rect, type Virtualizer } from "@tanstack/react-virtual";

type List = Virtualizer<HTMLDivElement, Element>;

/** Tells the size of a list's scroll box when it was laid out and whenever it changes; returns the way to stop. */
export function observeLaidOut(list: List, onRect: (rect: Rect) => void): () => void {
  const observer = new ResizeObserver(([entry]) => {
    const { inlineSize, blockSize } = entry!.borderBoxSize[0]!;
    onRect({ width: Math.round(inlineSize), height: Math.round(blockSize) });
  });
  observer.observe(list.scrollElement!);
  return () => observer.disconnect();
}

/** Scrolls unless the list is there already, as it is when it begins. */
export function scrollWhereNeeded(
  offset: number,
  options: Parameters<typeof elementScroll>[1],
  list: List,
): void {
  if (offset + (options.adjustments ?? 0) !== list.scrollOffset) elementScroll(offset, options, list);
}
