/** What single cards have for themselves: a part of the view, so that a link carries it. */

import { change, commit, useView } from "./view";
import type { CardView, View } from "./viewstate";

export type { CardView };
export type CardChoice = Omit<CardView, "tag">;

const AS_PAGE: CardChoice = {};

/** What differs from the page; the same object as long as nothing is chosen anew. */
export function choiceOf({ cards }: Pick<View, "cards">, tag: string): CardChoice {
  return cards.find((card) => card.tag === tag) ?? AS_PAGE;
}

export function useChoice(tag: string): CardChoice {
  return useView((view) => choiceOf(view, tag));
}

/** Chooses for one card; `undefined` lets it follow the page again. */
export function choose(
  tag: string,
  patch: { [Name in keyof CardChoice]?: CardChoice[Name] | undefined },
): void {
  const { cards } = useView.getState();
  const card = tidy({ ...choiceOf({ cards }, tag), ...patch, tag });
  const others = cards.filter((each) => each.tag !== tag);
  commit({ cards: isEmpty(card) ? others : [...others, card] });
}

/** What the card has for itself is forgotten. */
export function followAll(tag: string): void {
  commit({ cards: useView.getState().cards.filter((card) => card.tag !== tag) });
}

type OfPage = Pick<View, "logY" | "logX" | "ignoreOutliers" | "smoothing">;

/** Chooses for the whole page, all cards along with it. */
export function choosePage(patch: Partial<OfPage>): void {
  const follow = Object.fromEntries(Object.keys(patch).map((name) => [name, undefined]));
  const cards = useView.getState().cards.map((card) => tidy({ ...card, ...follow }));
  change({ ...patch, cards: cards.filter((card) => !isEmpty(card)) });
}

/** Without what is not chosen, and a switch that is off as it is everywhere. */
function tidy(card: { [Name in keyof CardView]: CardView[Name] | undefined } & { tag: string }): CardView {
  const chosen = Object.entries(card).filter(
    ([name, value]) => value !== undefined && !((name === "wide" || name === "baseline") && value === false),
  );
  return Object.fromEntries(chosen) as unknown as CardView;
}

function isEmpty(card: CardView): boolean {
  return Object.keys(card).length === 1;
}
