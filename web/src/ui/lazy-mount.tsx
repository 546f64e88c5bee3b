/** Reserves the height of its children and mounts them once they come near the window; they stay mounted. */

import { type ReactNode, useEffect, useRef, useState } from "react";

interface LazyMountProps {
  /** Height reserved until then. */
  height: number;
  children: ReactNode;
  className?: string | undefined;
}

/** How far ahead children are mounted. */
const AHEAD = "600px 0px";

export function LazyMount({ height, children, className }: LazyMountProps) {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near) return;
    const observer = new IntersectionObserver(([entry]) => entry!.isIntersecting && setNear(true), {
      rootMargin: AHEAD,
    });
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, [near]);
  return (
    <div ref={place} className={className} style={near ? undefined : { minHeight: height }}>
      {near && children}
    </div>
  );
}
