/** The inside of an element, told when it is laid out and whenever it changes. */

import { type RefObject, useEffect, useState } from "react";
import type { Extent } from "./fit";

const NOTHING: Extent = { width: 0, height: 0 };

/** Whole px; 0 until it was laid out for the first time. */
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
