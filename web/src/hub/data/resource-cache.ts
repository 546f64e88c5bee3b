/** Resources of one kind in the query cache: lists of pages and single ones, which show the same state. */

import type { InfiniteData } from "@tanstack/react-query";
import { queries, useSession } from "./queries";

/** Minimum time between fetches of the lists. */
const LISTS_EVERY_MS = 700;

interface Resource {
  id: string;
  version: number;
}

type Pages<Item> = InfiniteData<{ items: Item[] }, number>;
type Detail<Item> = Item & { transitions: unknown };

export class ResourceCache<Item extends Resource> {
  #waiting = false;

  /** The first parts of the keys of lists and of single ones. */
  constructor(
    readonly lists: string,
    readonly one: string,
  ) {}

  /** Stores a resource from the server, unless it is older than the one shown; returns false if it is in no list. */
  upsert(item: Partial<Item> & Resource): boolean {
    const known = this.update(item.id, (shown) =>
      item.version < shown.version ? shown : { ...shown, ...item },
    );
    void queries.invalidateQueries({ queryKey: [this.one, item.id] });
    return known;
  }

  /** Removes a deleted one. */
  drop(id: string): void {
    queries.setQueriesData<Pages<Item>>({ queryKey: [this.lists] }, (pages) =>
      onPages(pages, (items) => items.filter((each) => each.id !== id)),
    );
    void queries.invalidateQueries({ queryKey: [this.one, id] });
    this.refreshListsSoon();
  }

  /** Updates one wherever it is shown; returns false if it is in no list. */
  update(id: string, change: (item: Item) => Item): boolean {
    let known = false;
    const changed = (items: readonly Item[]) =>
      items.map((each) => {
        if (each.id !== id) return each;
        known = true;
        return change(each);
      });
    queries.setQueriesData<Pages<Item>>({ queryKey: [this.lists] }, (pages) => onPages(pages, changed));
    queries.setQueryData<Detail<Item>>([this.one, id], (shown) =>
      shown ? { ...shown, ...change(shown), transitions: shown.transitions } : shown,
    );
    return known;
  }

  /** Fetches the lists again soon: only the server knows their rows, their order and the limit. */
  refreshListsSoon(): void {
    if (this.#waiting) return;
    this.#waiting = true;
    setTimeout(() => {
      this.#waiting = false;
      if (!useSession.getState().ended) void queries.invalidateQueries({ queryKey: [this.lists] });
    }, LISTS_EVERY_MS);
  }
}

function onPages<Item>(
  pages: Pages<Item> | undefined,
  update: (items: readonly Item[]) => Item[],
): Pages<Item> | undefined {
  // Other responses, such as the one about the limit, are cached beside the lists and have no pages.
  if (!pages?.pages) return pages;
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, items: update(page.items) })) };
}
