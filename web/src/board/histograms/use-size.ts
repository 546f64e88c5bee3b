/** The size of an element after layout and whenever it changes. */

import { type RefObject, useEffect, useState } from "react";
import type { Size } from "../../chart/picture";

/** `owner`: an id that changes if another element takes its place. */
export function useSize(element: RefObject<HTMLElement | null>, owner?: number): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another owner has another element
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      const next = { width: Math.round(width), height: Math.round(height) };
      setSize((was) => (was?.width === next.width && was.height === next.height ? was : next));
    });
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, owner]);
  return size && size.width > 0 && size.height > 0 ? size : null;
}
