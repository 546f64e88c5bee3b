/**
 * Queries of TensorBoards: lists and single ones, updated by the stream of changes, and optimistically by own
 * actions.
 */

import { type InfiniteData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { create } from "zustand";
import type { TensorboardDetail, TensorboardPage, TensorboardResponse } from "../../api/hub/schema.gen";
import {
  fetchLogs,
  fetchShares,
  fetchTensorboard,
  fetchTensorboards,
  fetchTop,
} from "../../api/hub/tensorboards";
import { watch } from "../../api/hub/watch";
import { queries, useSession } from "./queries";

export type Board = TensorboardResponse;
export type Status = Board["status"];

const LISTS = "tensorboards";
const ONE = "tensorboard";
const PAGE_SIZE = 200;
/** Minimum time between fetches of the lists. */
const LISTS_EVERY_MS = 700;
/** Polling interval of resource use and logs while they are shown. */
const TOP_EVERY_MS = 2000;
const LOGS_EVERY_MS = 3000;

/** What a board has read is not part of its changes: polled now and then, and soon after a start. */
const FIGURES_MS = 15_000;
const FRESH_MS = 1500;
const FRESH_SECS = 20;

/** Whether it runs and has not reported its contents yet. */
export const isFresh = (board: Board) =>
  board.status === "Running" &&
  board.progress.runs === 0 &&
  Date.now() / 1000 - board.status_since < FRESH_SECS;

type Pages = InfiniteData<TensorboardPage, number>;

/** The list for a request (without page and size), loaded page by page. */
export function useTensorboards(request: string) {
  return useInfiniteQuery({
    queryKey: [LISTS, request],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams(request);
      query.set("page", String(pageParam));
      query.set("page_size", String(PAGE_SIZE));
      return fetchTensorboards(query, signal);
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, page_size, total }) => (page * page_size < total ? page + 1 : undefined),
    placeholderData: (before) => before,
    refetchInterval: (query) =>
      query.state.data?.pages.some((page) => page.items.some(isFresh)) ? FRESH_MS : FIGURES_MS,
  });
}

/** Own boards in use, and the limit. */
export function useLimit(): { inUse: number; limit: number } | null {
  const { data } = useQuery({
    queryKey: [LISTS, "limit"],
    queryFn: ({ signal }) => fetchTensorboards(new URLSearchParams({ owner: "me", page_size: "1" }), signal),
  });
  return data ? { inUse: data.limit - data.remaining, limit: data.limit } : null;
}

export function useTensorboard(id: string) {
  return useQuery({
    queryKey: [ONE, id],
    queryFn: ({ signal }) => fetchTensorboard(id, signal),
    refetchInterval: ({ state: { data } }) =>
      data === undefined ? false : isFresh(data) ? FRESH_MS : FIGURES_MS,
  });
}

export function useLogs(id: string) {
  return useQuery({
    queryKey: ["logs", id],
    queryFn: ({ signal }) => fetchLogs(id, signal),
    refetchInterval: LOGS_EVERY_MS,
  });
}

export function useTop(id: string, enabled: boolean) {
  return useQuery({
    queryKey: ["top", id],
    queryFn: ({ signal }) => fetchTop(id, signal),
    refetchInterval: TOP_EVERY_MS,
    enabled,
  });
}

export const sharesKey = (id: string) => ["shares", id];

export function useShares(id: string, enabled: boolean) {
  return useQuery({ queryKey: sharesKey(id), queryFn: ({ signal }) => fetchShares(id, signal), enabled });
}

/** Whether the stream of changes is connected. */
export const useWatching = create<{ lost: boolean }>()(() => ({ lost: false }));

/** Follows the stream of changes; returns a function that stops it. */
export function followTensorboards(): () => void {
  return watch({
    onChange: upsertBoard,
    onGone: dropBoard,
    onOpen: () => {
      // Changes were missed in the meantime.
      if (useWatching.getState().lost) void queries.invalidateQueries();
      useWatching.setState({ lost: false });
    },
    onLost: (refused) => {
      useWatching.setState({ lost: true });
      // The rejected stream does not say why; this request does.
      if (refused) void queries.invalidateQueries({ queryKey: ["me"] });
    },
  });
}

/** Stores a board from the server, unless it is older than the one shown. */
export function upsertBoard(board: Board): void {
  const known = updateBoard(board.id, (shown) =>
    board.version < shown.version ? shown : { ...shown, ...board },
  );
  void queries.invalidateQueries({ queryKey: [ONE, board.id] });
  if (!known) refreshListsSoon();
  else if (board.status !== "Running") refreshListsSoon();
}

/** Removes a deleted board. */
export function dropBoard(id: string): void {
  queries.setQueriesData<Pages>({ queryKey: [LISTS] }, (pages) =>
    onPages(pages, (items) => items.filter((each) => each.id !== id)),
  );
  void queries.invalidateQueries({ queryKey: [ONE, id] });
  refreshListsSoon();
}

/** Updates a board wherever it is shown; returns false if it is in no list. */
export function updateBoard(id: string, update: (board: Board) => Board): boolean {
  let known = false;
  const changed = (items: readonly Board[]) =>
    items.map((each) => {
      if (each.id !== id) return each;
      known = true;
      return update(each);
    });
  queries.setQueriesData<Pages>({ queryKey: [LISTS] }, (pages) => onPages(pages, changed));
  queries.setQueryData<TensorboardDetail>([ONE, id], (shown) =>
    shown ? { ...shown, ...update(shown), transitions: shown.transitions } : shown,
  );
  return known;
}

export function shownBoard(id: string): Board | undefined {
  const one = queries.getQueryData<TensorboardDetail>([ONE, id]);
  if (one) return one;
  for (const [, pages] of queries.getQueriesData<Pages>({ queryKey: [LISTS] }))
    for (const page of pages?.pages ?? []) {
      const found = page.items.find((each) => each.id === id);
      if (found) return found;
    }
  return undefined;
}

let waiting = false;

/** Fetches the lists again soon: only the server knows their rows, their order and the limit. */
export function refreshListsSoon(): void {
  if (waiting) return;
  waiting = true;
  setTimeout(() => {
    waiting = false;
    if (!useSession.getState().ended) void queries.invalidateQueries({ queryKey: [LISTS] });
  }, LISTS_EVERY_MS);
}

function onPages(pages: Pages | undefined, update: (items: readonly Board[]) => Board[]): Pages | undefined {
  // The response about the limit is cached beside the lists and has no pages.
  if (!pages?.pages) return pages;
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, items: update(page.items) })) };
}

const IN_USE_QUERY = new URLSearchParams({
  owner: "me",
  status: "Pending,Creating,Running,Stopping",
  page_size: "1000",
});

/** Seconds since the epoch when the board was last viewed, or when it started. */
export const lastUsed = (board: Board) => board.last_active_at ?? board.status_since;

export function useInUse(): readonly Board[] {
  const { data } = useQuery({
    queryKey: ["tensorboards", "in use"],
    queryFn: ({ signal }) => fetchTensorboards(IN_USE_QUERY, signal),
  });
  return (data?.items ?? []).toSorted((a, b) => lastUsed(a) - lastUsed(b));
}
