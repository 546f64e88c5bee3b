/** The inner size of an element after layout and whenever it changes. */

import { type RefObject, useEffect, useState } from "react";
import type { Extent } from "./fit";

const NOTHING: Extent = { width: 0, height: 0 };

/** In whole px; 0 before the first layout. */
export function useBox(element: RefObject<HTMLElement | null>): Extent {
  const [box, setBox] = useState(NOTHING);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const [width, height] = [Math.floor(entry!.contentRect.width), Math.floor(entry!.contentRect.height)];
      setBox((was) => (was.width === width && was.height === height ? was : { width, height }));
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element]);
  return box;
}
