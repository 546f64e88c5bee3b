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
