/** One's own boards that take the room there is, longest idle first. */

import { useQuery } from "@tanstack/react-query";
import { askTensorboards } from "../../api/hub/tensorboards";
import type { Board } from "./tensorboards";

const QUESTION = new URLSearchParams({
  owner: "me",
  status: "Pending,Creating,Running,Stopping",
  page_size: "1000",
});

/** Seconds since the epoch when somebody last looked at it, or it began. */
export const lastUsed = (board: Board) => board.last_active_at ?? board.status_since;

export function useInUse(): readonly Board[] {
  const { data } = useQuery({
    queryKey: ["tensorboards", "in use"],
    queryFn: ({ signal }) => askTensorboards(QUESTION, signal),
  });
  return (data?.items ?? []).toSorted((a, b) => lastUsed(a) - lastUsed(b));
}
