/** Tags gathered into the sections of the page: by all before the last `/` if two share it, else by the first part. */

import { naturalOrder } from "./natural";

export interface Section<Item> {
  name: string;
  items: Item[];
}

/** Sections in natural order; items keep the order they came in. A tag without `/` stands under its own name's "". */
export function sections<Item extends { tag: string }>(items: readonly Item[]): Section<Item>[] {
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
  return [...found]
    .map(([name, list]) => ({ name, items: list }))
    .sort((a, b) => naturalOrder(a.name, b.name));
}

function parent(tag: string): string {
  const cut = tag.lastIndexOf("/");
  return cut > 0 ? tag.slice(0, cut) : "";
}

function first(tag: string): string {
  const cut = tag.indexOf("/", 1);
  return cut > 0 ? tag.slice(0, cut) : "";
}
