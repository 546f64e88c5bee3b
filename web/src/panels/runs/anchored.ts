/** An anchor as sheets take it: an element, or a place that stands in for one. */

import { useMemo } from "react";
import type { Anchor } from "./acts";

export function useAnchored(anchor: Anchor): { current: HTMLElement } {
  return useMemo(() => {
    if (anchor instanceof HTMLElement) return { current: anchor };
    const place = { getBoundingClientRect: () => new DOMRect(anchor.x, anchor.y, 0, 0), focus: () => {} };
    return { current: place as unknown as HTMLElement };
  }, [anchor]);
}
