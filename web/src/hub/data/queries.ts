/** The query cache of the hub, and whether the session has ended. */

import { QueryCache, QueryClient } from "@tanstack/react-query";
import { create } from "zustand";
import { ApiError } from "../../api/client";

export const useSession = create<{ ended: boolean }>()(() => ({ ended: false }));

const ENDED = 401;

export function endSession(fault: unknown): void {
  if (fault instanceof ApiError && fault.status === ENDED) useSession.setState({ ended: true });
}

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: endSession }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      networkMode: "always",
      // Do not retry what was rejected.
      retry: (failures, fault) => failures < 2 && fault instanceof ApiError && fault.status >= 502,
    },
    mutations: { networkMode: "always", onError: endSession },
  },
});

interface Page {
  page: number;
  page_size: number;
  total: number;
}

/** Options of a query for a list that is loaded page by page. `request` has its filters. */
export function pageByPage<Shown extends Page>(
  request: string,
  pageSize: number,
  fetchPage: (query: URLSearchParams, signal: AbortSignal) => Promise<Shown>,
) {
  return {
    queryFn: ({ pageParam, signal }: { pageParam: number; signal: AbortSignal }) => {
      const query = new URLSearchParams(request);
      query.set("page", String(pageParam));
      query.set("page_size", String(pageSize));
      return fetchPage(query, signal);
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, page_size, total }: Page) => (page * page_size < total ? page + 1 : undefined),
  };
}
