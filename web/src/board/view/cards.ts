/** Settings of single cards. They are part of the view, so that a link carries them. */

import { change, commit, useView } from "./view";
import type { CardView, View } from "./view-state";

export type { CardView };
export type CardChoice = Omit<CardView, "tag">;

const AS_PAGE: CardChoice = {};

/** The settings of one card that differ from the page. The same object until one of them changes. */
export function choiceOf({ cards }: Pick<View, "cards">, tag: string): CardChoice {
  return cards.find((card) => card.tag === tag) ?? AS_PAGE;
}

export function useChoice(tag: string): CardChoice {
  return useView((view) => choiceOf(view, tag));
}

/** Sets fields of one card; `undefined` makes a field follow the page again. */
export function choose(
  tag: string,
  patch: { [Name in keyof CardChoice]?: CardChoice[Name] | undefined },
): void {
  const { cards } = useView.getState();
  const card = tidy({ ...choiceOf({ cards }, tag), ...patch, tag });
  const others = cards.filter((each) => each.tag !== tag);
  commit({ cards: isEmpty(card) ? others : [...others, card] });
}

/** Drops the settings of one card, so that it follows the page. */
export function followAll(tag: string): void {
  commit({ cards: useView.getState().cards.filter((card) => card.tag !== tag) });
}

type OfPage = Pick<View, "logY" | "logX" | "ignoreOutliers" | "smoothing">;

/** Sets fields of the page. All cards follow: their own settings of these fields are dropped. */
export function choosePage(patch: Partial<OfPage>): void {
  const follow = Object.fromEntries(Object.keys(patch).map((name) => [name, undefined]));
  const cards = useView.getState().cards.map((card) => tidy({ ...card, ...follow }));
  change({ ...patch, cards: cards.filter((card) => !isEmpty(card)) });
}

/** Removes fields that are not set, and `wide` and `baseline` if they are off, which is the default. */
function tidy(card: { [Name in keyof CardView]: CardView[Name] | undefined } & { tag: string }): CardView {
  const chosen = Object.entries(card).filter(
    ([name, value]) => value !== undefined && !((name === "wide" || name === "baseline") && value === false),
  );
  return Object.fromEntries(chosen) as unknown as CardView;
}

function isEmpty(card: CardView): boolean {
  return Object.keys(card).length === 1;
}
