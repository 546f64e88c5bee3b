/**
 * A few scalar cards in a plain grid that scrolls with its page. Cards far below are mounted when they come near the
 * window.
 */

import { useRef } from "react";
import style from "./card-grid.module.css";
import { type CardPart, ScalarCard } from "./scalar-card";
import { useCardVisibility } from "./use-card-visibility";

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
  const visibility = useCardVisibility(place);
  return (
    <div ref={place} className={style.place}>
      {visibility.mounted && <ScalarCard tag={tag} runs={runs} near={visibility.near} />}
    </div>
  );
}
