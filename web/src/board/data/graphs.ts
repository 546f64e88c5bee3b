/** Which graphs there are, and the totals of one. */

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { fetchGraphs, fetchTotals, type GraphInfo, type GraphName } from "../../api/graphs";
import { useRuns } from "./lists";
import { VALUES } from "./values";

export const KIND = "graphs";
/** The logdir, as the run of model files that are in no folder of a run. */
const TOP = ".";

/** A graph, and the name of its run. */
export interface RunGraph {
  info: GraphInfo;
  run: string;
}

export function graphName({ info, run }: RunGraph): GraphName {
  return { run, tag: info.tag, form: info.form, at: info.at };
}

/** Fetched again when the logs change. */
export function useGraphs() {
  const { data, error, refetch } = useQuery({
    queryKey: [VALUES, KIND],
    queryFn: ({ signal }) => fetchGraphs(signal),
  });
  const rows = useRuns();
  const graphs = useMemo(() => {
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    return data?.flatMap((info): RunGraph[] => {
      const run = info.run === null ? TOP : names.get(info.run);
      return run === undefined ? [] : [{ info, run }];
    });
  }, [data, rows]);
  return { graphs, error: data ? null : error, retry: () => void refetch() };
}

export const totalsQuery = (graph: GraphName) => ({
  queryKey: [KIND, "totals", graph],
  queryFn: ({ signal }: { signal: AbortSignal }) => fetchTotals(graph, signal),
  retry: false,
});
