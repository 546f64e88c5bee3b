/** Exports of the cards of a layout: as for a single tag, but with all their tags. */

import { createContext, Suspense, useContext } from "react";
import { lazyPart } from "../../ui/lazy-part";
import type { CardExports } from "../cards/card";
import type { ExportCard } from "../export/export-card";
import type { ChartCard } from "./charts";

const ItemsOf = lazyPart(async () => ({
  default: (await import("../export/card-items")).ExportItems,
}));
const LinksOf = lazyPart(async () => ({
  default: (await import("../export/download-links")).CardLinks,
}));

/** The cards of the page by name. */
export const CardsByName = createContext<ReadonlyMap<string, ExportCard>>(new Map());

export function cardsByName(cards: readonly ChartCard[]): ReadonlyMap<string, ExportCard> {
  return new Map(
    cards.filter(({ parts }) => parts.length > 0).map((card) => [card.name, exportCardOf(card)]),
  );
}

function exportCardOf({ name, title, parts, margins }: ChartCard): ExportCard {
  return parts.map((part, at) => (at === 0 ? { ...part, custom: { name, title, margins } } : part));
}

export const cardExports: CardExports = { Items, Links };

function Items({ tag }: { tag: string }) {
  const card = useContext(CardsByName).get(tag);
  if (!card) return null;
  return (
    <Suspense fallback={null}>
      <ItemsOf card={card} />
    </Suspense>
  );
}

function Links({ tag }: { tag: string }) {
  const card = useContext(CardsByName).get(tag);
  if (!card) return null;
  return (
    <Suspense fallback={null}>
      <LinksOf card={card} />
    </Suspense>
  );
}
