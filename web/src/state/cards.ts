/** What single cards keep for themselves while the page is open: they are unmounted when they scroll away. */

import { create } from "zustand";

export interface CardChoice {
  /** Null follows the page. */
  logY: boolean | null;
  ignoreOutliers: boolean | null;
  wide: boolean;
}

const AS_PAGE: CardChoice = { logY: null, ignoreOutliers: null, wide: false };

interface Cards {
  choices: ReadonlyMap<string, CardChoice>;
}

export const useCards = create<Cards>()(() => ({ choices: new Map() }));

export function choiceOf(cards: Cards, tag: string): CardChoice {
  return cards.choices.get(tag) ?? AS_PAGE;
}

export function choose(tag: string, patch: Partial<CardChoice>): void {
  const choices = new Map(useCards.getState().choices);
  choices.set(tag, { ...choiceOf(useCards.getState(), tag), ...patch });
  useCards.setState({ choices });
}

/** A switch of the whole page takes all cards along. */
export function followPage(name: "logY" | "ignoreOutliers"): void {
  const choices = new Map<string, CardChoice>();
  for (const [tag, choice] of useCards.getState().choices) choices.set(tag, { ...choice, [name]: null });
  useCards.setState({ choices });
}
