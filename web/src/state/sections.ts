/**
 * Tags gathered into the sections of the page: by all before the last `/` if two share it, else by the first part.
 * A section of one card would be a row with a hole: such tags stand together, with those that have no `/`.
 */

import { sharedPrefix } from "../base/short-names";
import { naturalOrder } from "./natural";

/** Name of the section of tags that belong to no other. */
export const UNGROUPED = "";

/** Name of the section of pinned cards; no tag can be named so. */
export const PINNED = "\u0000pinned";

export interface Section<Item> {
  name: string;
  items: Item[];
}

/** What the name of a section says of each tag in it, or all of them share: "model/decoder/layers/". */
export function saidBefore(sections: readonly Section<{ tag: string }>[]): ReadonlyMap<string, string> {
  const said = new Map<string, string>();
  for (const { name, items } of sections) {
    if (name === UNGROUPED || name === PINNED) continue;
    const shared = items.length > 1 ? sharedPrefix(items.map(({ tag }) => tag)) : "";
    if (shared !== "") for (const { tag } of items) said.set(tag, shared);
  }
  return said;
}

/** Sections in natural order, the ungrouped first; items keep the order they came in. */
export function sections<Item extends { tag: string }>(items: readonly Item[]): Section<Item>[] {
  const place = new Map(items.map((item, at) => [item, at]));
  const crowd = new Map<string, number>();
  for (const { tag } of items) crowd.set(parent(tag), (crowd.get(parent(tag)) ?? 0) + 1);
  const found = new Map<string, Item[]>();
  for (const item of items) {
    const deep = parent(item.tag);
    const name = (crowd.get(deep) ?? 0) >= 2 ? deep : first(item.tag);
    const section = found.get(name);
    if (section) section.push(item);
    else found.set(name, [item]);
  }
  const lone = [...found].filter(([name, list]) => name === UNGROUPED || list.length === 1);
  if (lone.length > 1) {
    for (const [name] of lone) found.delete(name);
    const together = lone.flatMap(([, list]) => list);
    found.set(
      UNGROUPED,
      together.sort((a, b) => place.get(a)! - place.get(b)!),
    );
  }
  return [...found]
    .map(([name, list]) => ({ name, items: list }))
    .sort((a, b) => naturalOrder(a.name, b.name));
}

/**
 * What comes later stands behind what is there: in a section of its scope, else in sections of its own at the end. Those
 * that are there keep their places, under whoever reads them.
 */
export function withLater<Item extends { tag: string }>(
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
