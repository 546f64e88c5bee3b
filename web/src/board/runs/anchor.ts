/** Where a menu or popover opens: beside an element, or at the pointer. */

import { useMemo } from "react";

export type Anchor = HTMLElement | { x: number; y: number };

/** An anchor for popovers: the element, or a virtual one at the position. */
export function useAnchored(anchor: Anchor): { current: HTMLElement } {
  return useMemo(() => {
    if (anchor instanceof HTMLElement) return { current: anchor };
    const place = { getBoundingClientRect: () => new DOMRect(anchor.x, anchor.y, 0, 0), focus: () => {} };
    return { current: place as unknown as HTMLElement };
  }, [anchor]);
}
