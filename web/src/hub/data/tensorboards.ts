/**
 * Queries of TensorBoards: lists and single ones, updated by the stream of changes, and optimistically by own
 * actions.
 */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { TensorboardResponse } from "../../api/hub-schema.gen";
import { fetchLogs, fetchShares, fetchTensorboard, fetchTensorboards, fetchTop } from "../api/tensorboards";
import { pageByPage } from "./queries";
import { ResourceCache } from "./resource-cache";

export type Board = TensorboardResponse;
export type Status = Board["status"];

const LISTS = "tensorboards";
const ONE = "tensorboard";
const PAGE_SIZE = 200;
export const boardCache = new ResourceCache<Board>(LISTS, ONE);
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

/** The list for a request (without page and size), loaded page by page. */
export function useTensorboards(request: string, enabled = true) {
  return useInfiniteQuery({
    enabled,
    queryKey: [LISTS, request],
    ...pageByPage(request, PAGE_SIZE, fetchTensorboards),
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

/** Stores a board from the server, unless it is older than the one shown. */
export function upsertBoard(board: Board): void {
  const known = boardCache.upsert(board);
  if (!known || board.status !== "Running") refreshListsSoon();
}

export const dropBoard = (id: string) => boardCache.drop(id);
export const refreshListsSoon = () => boardCache.refreshListsSoon();

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
