/** A few cards of scalars in a plain grid that flows with its page. Cards far below are made when they come near. */

import { useEffect, useRef, useState } from "react";
import style from "./card-grid.module.css";
import { type CardPart, ScalarCard } from "./scalar-card";

/** About half a screen ahead. */
const AHEAD = "400px 0px";

export function CardGrid({ cards }: { cards: readonly CardPart[] }) {
  return (
    <div className={style.grid}>
      {cards.map(({ tag, runs }) => (
        <Place key={tag.tag} tag={tag} runs={runs} />
      ))}
    </div>
  );
}

function Place({ tag, runs }: CardPart) {
  const place = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ made: false, near: true });
  useEffect(() => {
    const watch = (margin: string, then: (inside: boolean) => void) => {
      const observer = new IntersectionObserver(([entry]) => then(entry!.isIntersecting), {
        rootMargin: margin,
      });
      observer.observe(place.current!);
      return () => observer.disconnect();
    };
    const stops = [
      watch(AHEAD, (inside) => inside && setSeen((was) => ({ ...was, made: true }))),
      watch("0px", (inside) => setSeen((was) => ({ ...was, near: !inside }))),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  return (
    <div ref={place} className={style.place}>
      {seen.made && <ScalarCard tag={tag} runs={runs} near={seen.near} />}
    </div>
  );
}
