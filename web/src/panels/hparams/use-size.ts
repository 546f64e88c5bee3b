/** The size of an element's box, kept up with. */

import { type RefObject, useLayoutEffect, useState } from "react";
import type { Size } from "./canvas";

export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const { inlineSize, blockSize } = entry!.contentBoxSize[0]!;
      setSize({ width: Math.round(inlineSize), height: Math.round(blockSize) });
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
