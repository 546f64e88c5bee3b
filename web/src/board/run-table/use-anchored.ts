/** An anchor for popovers: an element, or a virtual one at a position. */

import { useMemo } from "react";
import type { Anchor } from "./row-actions";

export function useAnchored(anchor: Anchor): { current: HTMLElement } {
  return useMemo(() => {
    if (anchor instanceof HTMLElement) return { current: anchor };
    const place = { getBoundingClientRect: () => new DOMRect(anchor.x, anchor.y, 0, 0), focus: () => {} };
    return { current: place as unknown as HTMLElement };
  }, [anchor]);
}
