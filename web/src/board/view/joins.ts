/** Joins several tags in one card. The first tag names the card. Pure, except for the last two functions. */

import { commit, useView } from "./view";

export type Joins = readonly (readonly string[])[];

/** The tags of the card named by a tag; the tag alone if nothing is joined to it. */
export function tagsOf(joined: Joins, tag: string): readonly string[] {
  return joined.find(([first]) => first === tag) ?? [tag];
}

/** The name of the card that shows a tag. */
export function cardOf(joined: Joins, tag: string): string {
  return joined.find((tags) => tags.includes(tag))?.[0] ?? tag;
}

/** Moves the tags of one card to the end of another. */
export function withJoined(joined: Joins, into: string, tag: string): Joins {
  const home = cardOf(joined, into);
  if (cardOf(joined, tag) === home) return joined;
  const tags = [...tagsOf(joined, home), ...tagsOf(joined, cardOf(joined, tag))];
  const others = joined.filter((each) => !each.some((name) => tags.includes(name)));
  return [...others, tags];
}

/** Removes a tag from its card; the rest of the card is named by its first tag. */
export function withoutJoined(joined: Joins, tag: string): Joins {
  return joined
    .map((tags) => (tags.includes(tag) ? tags.filter((each) => each !== tag) : tags))
    .filter((tags) => tags.length > 1);
}

export function join(into: string, ...tags: readonly string[]): void {
  const { joined, pinned } = useView.getState();
  const next = tags.reduce((all, tag) => withJoined(all, into, tag), joined);
  // A card that was joined to another cannot stay pinned.
  commit({ joined: next, pinned: pinned.filter((tag) => cardOf(next, tag) === tag) });
}

export function separate(tag: string): void {
  commit({ joined: withoutJoined(useView.getState().joined, tag) });
}
