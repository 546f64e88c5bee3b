/** What the cards of a layout offer to take away: the same as those of a tag, of all their tags. */

import { createContext, lazy, Suspense, useContext } from "react";
import type { TakeAway } from "../../panel/take-away";
import type { TakenCard } from "../../panels/export/card";
import type { ChartCard } from "./charts";

const ItemsOf = lazy(async () => ({ default: (await import("../../panels/export/card-items")).ItemsOf }));
const LinksOf = lazy(async () => ({ default: (await import("../../panels/export/download-links")).LinksOf }));

/** The cards of the page by their names. */
export const TakenCards = createContext<ReadonlyMap<string, TakenCard>>(new Map());

export function takenOf(cards: readonly ChartCard[]): ReadonlyMap<string, TakenCard> {
  return new Map(cards.filter(({ parts }) => parts.length > 0).map((card) => [card.name, taken(card)]));
}

function taken({ name, title, parts, margins }: ChartCard): TakenCard {
  return parts.map((part, at) => (at === 0 ? { ...part, made: { name, title, margins } } : part));
}

export const takingAway: TakeAway = { Items, Links };

function Items({ tag }: { tag: string }) {
  const card = useContext(TakenCards).get(tag);
  if (!card) return null;
  return (
    <Suspense fallback={null}>
      <ItemsOf card={card} />
    </Suspense>
  );
}

function Links({ tag }: { tag: string }) {
  const card = useContext(TakenCards).get(tag);
  if (!card) return null;
  return (
    <Suspense fallback={null}>
      <LinksOf card={card} />
    </Suspense>
  );
}
