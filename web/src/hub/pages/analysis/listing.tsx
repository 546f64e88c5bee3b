/** The states of a filtered list that is loaded page by page: failed, no match, none yet, rows. */

import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useWords } from "../../../i18n/words";
import { Button } from "../../../ui/button";
import { putQuery, useQuery } from "../../data/route";
import { NoProject, useHasProject } from "../../ui/no-project";
import { EmptyState, ErrorNotice } from "../../ui/page";

interface Rows<Item> {
  items: readonly Item[];
  total: number;
  busy: boolean;
  onMore(): void;
}

interface ListingProps<Item> {
  list: UseInfiniteQueryResult<InfiniteData<{ items: Item[]; total: number }>>;
  /** Parameters of the address that filter it. */
  filters: readonly string[];
  /** Shown if there is none at all. */
  none: ReactNode;
  children(rows: Rows<Item>): ReactNode;
}

export function Listing<Item>({ list, filters, none, children }: ListingProps<Item>) {
  const say = useWords();
  const query = useQuery();
  const hasProject = useHasProject();
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const filtered = filters.some((name) => query.get(name));
  if (list.isError && !list.data)
    return <ErrorNotice fault={list.error} onRetry={() => void list.refetch()} />;
  if (list.data && items.length === 0 && filtered)
    return (
      <EmptyState title={say("hub.list.noMatch")}>
        <p>
          <bdi>{filters.flatMap((name) => query.get(name) ?? []).join(" · ")}</bdi>
        </p>
        <Button onClick={() => putQuery(Object.fromEntries(filters.map((name) => [name, ""])))}>
          {say("hub.list.clear")}
        </Button>
      </EmptyState>
    );
  if (list.data && items.length === 0) return hasProject ? none : <NoProject />;
  return children({
    items,
    total: list.data?.pages[0]?.total ?? 0,
    busy: list.isPending,
    onMore: () => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage(),
  });
}
