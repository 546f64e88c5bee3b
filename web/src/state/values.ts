/**
 * Which values the series of a kind hold: steps, times and keys, run by run. Everything asked under the key `VALUES` is
 * asked again when the logs change, if it is on screen.
 */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { askValues, type ValueSeries } from "../api/values";

export type { ValueSeries };

export const VALUES = "values";

const NONE: ReadonlyMap<number, ValueSeries> = new Map();

export interface KnownValues {
  /** By run id. */
  series: ReadonlyMap<number, ValueSeries>;
  known: boolean;
  error: Error | null;
  retry(): void;
}

/** The series of one tag. Not asked for until `enabled`, as when its card comes near. */
export function useValues(kind: string, tag: string, enabled = true): KnownValues {
  const { data, error, refetch } = useQuery({
    queryKey: [VALUES, kind, tag],
    queryFn: ({ signal }) => askValues({ plugin: kind, tags: [tag] }, signal),
    enabled,
    placeholderData: keepPreviousData,
  });
  const series = useMemo(() => (data ? new Map(data.series.map((each) => [each.run, each])) : NONE), [data]);
  return { series, known: data !== undefined, error: data ? null : error, retry: () => void refetch() };
}
