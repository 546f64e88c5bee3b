/**
 * Groups tags into the sections of the page: by everything before the last `/` if at least two tags share it,
 * otherwise by the first part. Tags that would be alone in a section are collected with those without a `/`. What tells
 * most comes first, see `tag-order`.
 */

import { naturalOrder } from "../../lib/natural-order";
import { sharedPrefix } from "../../lib/short-names";
import { byTagRank, tagRank } from "./tag-order";

/** Name of the section for tags without a `/`. */
export const UNGROUPED = "";

/** Name of the section for tags that would be alone in theirs; no tag can have this name. */
export const OTHERS = "\u0000others";

/** Name of the section of pinned cards; no tag can have this name. */
export const PINNED = "\u0000pinned";

export interface Section<Item> {
  name: string;
  items: Item[];
}

/**
 * The prefix that a section's heading already shows for each of its tags: its name, or all that its tags share, such
 * as "model/decoder/layers/".
 */
export function sectionPrefixes(sections: readonly Section<{ tag: string }>[]): ReadonlyMap<string, string> {
  const prefixes = new Map<string, string>();
  for (const { name, items } of sections) {
    if (name === UNGROUPED || name === OTHERS || name === PINNED) continue;
    const shared = items.length > 1 ? sharedPrefix(items.map(({ tag }) => tag)) : "";
    if (shared !== "") for (const { tag } of items) prefixes.set(tag, shared);
  }
  return prefixes;
}

/** Sections by what their first tags tell, those that tell as much in natural order. So are the tags in them. */
export function sections<Item extends { tag: string }>(items: readonly Item[]): Section<Item>[] {
  const crowd = new Map<string, number>();
  for (const { tag } of items) crowd.set(parent(tag), (crowd.get(parent(tag)) ?? 0) + 1);
  const found = new Map<string, Item[]>();
  const ordered = byTagRank(items);
  for (const item of ordered) {
    const deep = parent(item.tag);
    const name = (crowd.get(deep) ?? 0) >= 2 ? deep : first(item.tag);
    const section = found.get(name);
    if (section) section.push(item);
    else found.set(name, [item]);
  }
  const lone = [...found].filter(([name, list]) => name === UNGROUPED || list.length === 1);
  if (lone.length > 1) {
    for (const [name] of lone) found.delete(name);
    const together = new Set(lone.flatMap(([, list]) => list));
    found.set(
      OTHERS,
      ordered.filter((item) => together.has(item)),
    );
  }
  const ranks = new Map([...found].map(([name, list]) => [name, tagRank(list[0]!.tag)]));
  return [...found]
    .map(([name, list]) => ({ name, items: list }))
    .sort((a, b) => ranks.get(a.name)! - ranks.get(b.name)! || naturalOrder(a.name, b.name));
}

/**
 * Adds items that load later behind the existing ones: in a section of their scope, otherwise in new sections at the
 * end. Existing items keep their positions, so that the page does not move while it is read.
 */
export function appendSections<Item extends { tag: string }>(
  there: readonly Section<Item>[],
  later: readonly Item[],
): Section<Item>[] {
  const all = new Map(there.map(({ name, items }) => [name, [...items]]));
  const homeless = later.filter((item) => {
    const home = all.get(parent(item.tag)) ?? all.get(first(item.tag));
    home?.push(item);
    return home === undefined;
  });
  for (const { name, items } of sections(homeless)) all.set(name, [...(all.get(name) ?? []), ...items]);
  return [...all].map(([name, items]) => ({ name, items }));
}

function parent(tag: string): string {
  const cut = tag.lastIndexOf("/");
  return cut > 0 ? tag.slice(0, cut) : UNGROUPED;
}

function first(tag: string): string {
  const cut = tag.indexOf("/", 1);
  return cut > 0 ? tag.slice(0, cut) : UNGROUPED;
}
