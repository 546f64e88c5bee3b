/** Keeps the place of something tall until it comes near the window; what was built once stays. */

import { type ReactNode, useEffect, useRef, useState } from "react";

interface NearProps {
  /** Kept free until then. */
  height: number;
  children: ReactNode;
  className?: string | undefined;
}

/** Built so far before it is seen. */
const AHEAD = "600px 0px";

export function Near({ height, children, className }: NearProps) {
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
