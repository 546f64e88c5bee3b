/** What the server lists of a kind beside runs, such as graphs: each with the name of its run. */

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useRuns } from "./lists";
import { VALUES } from "./values";

/** The name of a run by its id; undefined if there is no such run, or not yet. */
export type RunNameOf = (run: number) => string | undefined;

interface Listed<Row> {
  /** Undefined until they are here. */
  rows: readonly Row[] | undefined;
  error: Error | null;
  retry(): void;
}

/** Fetched again when the logs change. `named` gives rows the names of their runs, and should be the same function each time. */
export function useListed<Info, Row>(
  kind: string,
  fetch: (signal: AbortSignal) => Promise<readonly Info[]>,
  named: (infos: readonly Info[], nameOf: RunNameOf) => readonly Row[],
  enabled: boolean,
): Listed<Row> {
  const { data, error, refetch } = useQuery({
    queryKey: [VALUES, kind],
    queryFn: ({ signal }) => fetch(signal),
    enabled,
  });
  const runs = useRuns();
  const rows = useMemo(() => {
    const names = new Map(runs.map(({ id, name }) => [id, name]));
    return data && named(data, (run) => names.get(run));
  }, [data, runs, named]);
  return { rows, error: data ? null : error, retry: () => void refetch() };
}
