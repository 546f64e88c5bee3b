/** Tables that have only the rows in view, below a row of headings. */

import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { observeListRect, scrollIfNeeded } from "../../ui/virtual-list";

const ROW_PX = 28;

/** The box that scrolls, and the list of which rows are where. */
export function useTableRows(count: number) {
  const scroll = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
    paddingStart: ROW_PX,
    observeElementRect: observeListRect,
    scrollToFn: scrollIfNeeded,
  });
  return { scroll, list };
}
