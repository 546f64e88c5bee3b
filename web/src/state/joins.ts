/** Several tags in one card: who stands with whom. The first tag names the card. Pure, but for the last two. */

import { commit, useView } from "./view";

export type Joins = readonly (readonly string[])[];

/** Tags of the card that a tag names; the tag alone if nothing is joined to it. */
export function tagsOf(joined: Joins, tag: string): readonly string[] {
  return joined.find(([first]) => first === tag) ?? [tag];
}

/** The card a tag stands in. */
export function cardOf(joined: Joins, tag: string): string {
  return joined.find((tags) => tags.includes(tag))?.[0] ?? tag;
}

/** The tags of one card put into another, after those that are there. */
export function withJoined(joined: Joins, into: string, tag: string): Joins {
  const home = cardOf(joined, into);
  if (cardOf(joined, tag) === home) return joined;
  const tags = [...tagsOf(joined, home), ...tagsOf(joined, cardOf(joined, tag))];
  const others = joined.filter((each) => !each.some((name) => tags.includes(name)));
  return [...others, tags];
}

/** One tag taken out of its card; what is left of the card is named by its first. */
export function withoutJoined(joined: Joins, tag: string): Joins {
  return joined
    .map((tags) => (tags.includes(tag) ? tags.filter((each) => each !== tag) : tags))
    .filter((tags) => tags.length > 1);
}

export function join(into: string, ...tags: readonly string[]): void {
  const { joined, pinned } = useView.getState();
  const next = tags.reduce((all, tag) => withJoined(all, into, tag), joined);
  // What went into another card is not a card to be pinned any more.
  commit({ joined: next, pinned: pinned.filter((tag) => cardOf(next, tag) === tag) });
}

export function separate(tag: string): void {
  commit({ joined: withoutJoined(useView.getState().joined, tag) });
}
