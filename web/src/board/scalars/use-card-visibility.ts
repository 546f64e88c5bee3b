/** Whether a card is to be mounted yet, and whether it is outside the window. */

import { type RefObject, useEffect, useState } from "react";

/** About half a screen ahead. */
const AHEAD = "400px 0px";

interface CardVisibility {
  /** True from the first time it came near the window. */
  mounted: boolean;
  /** Outside the window: drawn last. */
  near: boolean;
}

export function useCardVisibility(place: RefObject<HTMLElement | null>): CardVisibility {
  const [visibility, setVisibility] = useState<CardVisibility>({ mounted: false, near: true });
  useEffect(() => {
    const watch = (margin: string, then: (inside: boolean) => void) => {
      const observer = new IntersectionObserver(([entry]) => then(entry!.isIntersecting), {
        rootMargin: margin,
      });
      observer.observe(place.current!);
      return () => observer.disconnect();
    };
    const stops = [
      watch(AHEAD, (inside) => inside && setVisibility((was) => ({ ...was, mounted: true }))),
      watch("0px", (inside) => setVisibility((was) => ({ ...was, near: !inside }))),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [place]);
  return visibility;
}
