/**
 * TensorBoards as the console knows them: lists and single ones, kept true by the stream of changes, and moved at
 * once by what one does, back again where it was refused.
 */

import { type InfiniteData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { create } from "zustand";
import type { TensorboardAnswer, TensorboardDetail, TensorboardPage } from "../../api/hub/schema.gen";
import { askLogs, askShares, askTensorboard, askTensorboards, askTop } from "../../api/hub/tensorboards";
import { watch } from "../../api/hub/watch";
import { queries, useSession } from "./queries";

export type Board = TensorboardAnswer;
export type Status = Board["status"];

const LISTS = "tensorboards";
const ONE = "tensorboard";
const PAGE_SIZE = 200;
/** Lists are asked for again at most this often, however much happens. */
const LISTS_EVERY_MS = 700;
/** What a running board takes, and what it says, is asked for this often while somebody looks. */
const TOP_EVERY_MS = 2000;
const LOGS_EVERY_MS = 3000;

/** What boards have read is no change of theirs: it is asked for now and then, and soon after a start. */
const FIGURES_MS = 15_000;
const FRESH_MS = 1500;
const FRESH_SECS = 20;

/** It runs, and what is in it is not known yet. */
export const isFresh = (board: Board) =>
  board.status === "Running" &&
  board.progress.runs === 0 &&
  Date.now() / 1000 - board.status_since < FRESH_SECS;

type Pages = InfiniteData<TensorboardPage, number>;

/** The list behind a question (without page and size), read page by page. */
export function useTensorboards(question: string) {
  return useInfiniteQuery({
    queryKey: [LISTS, question],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams(question);
      query.set("page", String(pageParam));
      query.set("page_size", String(PAGE_SIZE));
      return askTensorboards(query, signal);
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, page_size, total }) => (page * page_size < total ? page + 1 : undefined),
    placeholderData: (before) => before,
    refetchInterval: (query) =>
      query.state.data?.pages.some((page) => page.items.some(isFresh)) ? FRESH_MS : FIGURES_MS,
  });
}

/** Own boards in use, and how many there may be. */
export function useLimit(): { inUse: number; limit: number } | null {
  const { data } = useQuery({
    queryKey: [LISTS, "limit"],
    queryFn: ({ signal }) => askTensorboards(new URLSearchParams({ owner: "me", page_size: "1" }), signal),
  });
  return data ? { inUse: data.limit - data.remaining, limit: data.limit } : null;
}

export function useTensorboard(id: string) {
  return useQuery({
    queryKey: [ONE, id],
    queryFn: ({ signal }) => askTensorboard(id, signal),
    refetchInterval: ({ state: { data } }) =>
      data === undefined ? false : isFresh(data) ? FRESH_MS : FIGURES_MS,
  });
}

export function useLogs(id: string) {
  return useQuery({
    queryKey: ["logs", id],
    queryFn: ({ signal }) => askLogs(id, signal),
    refetchInterval: LOGS_EVERY_MS,
  });
}

export function useTop(id: string, enabled: boolean) {
  return useQuery({
    queryKey: ["top", id],
    queryFn: ({ signal }) => askTop(id, signal),
    refetchInterval: TOP_EVERY_MS,
    enabled,
  });
}

export const sharesKey = (id: string) => ["shares", id];

export function useShares(id: string, enabled: boolean) {
  return useQuery({ queryKey: sharesKey(id), queryFn: ({ signal }) => askShares(id, signal), enabled });
}

/** Whether changes arrive by themselves now. */
export const useWatching = create<{ lost: boolean }>()(() => ({ lost: false }));

/** Follows what happens on the hub; returns the way to stop. */
export function followTensorboards(): () => void {
  return watch({
    onChange: put,
    onGone: take,
    onOpen: () => {
      // What happened while nobody listened.
      if (useWatching.getState().lost) void queries.invalidateQueries();
      useWatching.setState({ lost: false });
    },
    onLost: (refused) => {
      useWatching.setState({ lost: true });
      // A stream that is refused does not say why; this does.
      if (refused) void queries.invalidateQueries({ queryKey: ["me"] });
    },
  });
}

/** A board as the server tells it; news older than what is shown is none. */
export function put(board: Board): void {
  const known = change(board.id, (shown) => (board.version < shown.version ? shown : { ...shown, ...board }));
  void queries.invalidateQueries({ queryKey: [ONE, board.id] });
  if (!known) listsSoon();
  else if (board.status !== "Running") listsSoon();
}

/** A board that is gone. */
export function take(id: string): void {
  queries.setQueriesData<Pages>({ queryKey: [LISTS] }, (pages) =>
    onPages(pages, (items) => items.filter((each) => each.id !== id)),
  );
  void queries.invalidateQueries({ queryKey: [ONE, id] });
  listsSoon();
}

/** Changes a board wherever it is shown; false where it is in no list. */
export function change(id: string, made: (board: Board) => Board): boolean {
  let known = false;
  const changed = (items: readonly Board[]) =>
    items.map((each) => {
      if (each.id !== id) return each;
      known = true;
      return made(each);
    });
  queries.setQueriesData<Pages>({ queryKey: [LISTS] }, (pages) => onPages(pages, changed));
  queries.setQueryData<TensorboardDetail>([ONE, id], (shown) =>
    shown ? { ...shown, ...made(shown), transitions: shown.transitions } : shown,
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

/** Which rows a list has, in which order, and the limit: only the server knows. */
export function listsSoon(): void {
  if (waiting) return;
  waiting = true;
  setTimeout(() => {
    waiting = false;
    if (!useSession.getState().ended) void queries.invalidateQueries({ queryKey: [LISTS] });
  }, LISTS_EVERY_MS);
}

function onPages(pages: Pages | undefined, made: (items: readonly Board[]) => Board[]): Pages | undefined {
  // The answer about the limit is kept beside the lists and has no pages.
  if (!pages?.pages) return pages;
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, items: made(page.items) })) };
}
