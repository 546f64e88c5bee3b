/** What was asked of the hub and is kept; and that a session has ended, whoever notices it. */

import { QueryCache, QueryClient } from "@tanstack/react-query";
import { create } from "zustand";
import { ApiError } from "../../api/client";

export const useSession = create<{ ended: boolean }>()(() => ({ ended: false }));

const ENDED = 401;

export function noticeEnd(fault: unknown): void {
  if (fault instanceof ApiError && fault.status === ENDED) useSession.setState({ ended: true });
}

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      networkMode: "always",
      // What was refused is refused again.
      retry: (failures, fault) => failures < 2 && fault instanceof ApiError && fault.status >= 502,
    },
    mutations: { networkMode: "always", onError: noticeEnd },
  },
});
