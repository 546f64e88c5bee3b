/** The jobs of a hub that have made a run. Asked for only on a hub's board, and only where they are shown. */

import { useQuery } from "@tanstack/react-query";
import { fetchRunLineage, type RunJob } from "../../api/lineage";
import { useStatus } from "../data/lists";

export type { RunJob };

/** A job may be restarted or deleted meanwhile. */
const STALE_MS = 30_000;

/** Whether this is the board of a hub, which knows jobs. */
export const useHasJobs = () => Boolean(useStatus().data?.console);

/** The jobs, empty without any or without a hub; undefined while they are not known. */
export function useRunJobs(run: string): { jobs: readonly RunJob[] | undefined; fault: Error | null } {
  const enabled = useHasJobs();
  const { data, error } = useQuery({
    queryKey: ["run jobs", run],
    queryFn: ({ signal }) => fetchRunLineage(run, signal),
    enabled,
    staleTime: STALE_MS,
    retry: false,
  });
  return { jobs: enabled ? data?.jobs : [], fault: error };
}
