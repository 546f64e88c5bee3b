/**
 * Which values the series of a kind have: steps, times and keys by run. Queries under the key `VALUES` are fetched
 * again when the logs change, if they are on screen.
 */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { fetchValues, type ValueSeries } from "../../api/values";

export type { ValueSeries };

export const VALUES = "values";

/** The first key of the tags of a kind. */
export const KIND_TAGS = "kindtags";

const NONE: ReadonlyMap<number, ValueSeries> = new Map();

export interface ValuesResult {
  /** By run id. */
  series: ReadonlyMap<number, ValueSeries>;
  loaded: boolean;
  error: Error | null;
  retry(): void;
}

/** The series of one tag. Not fetched until `enabled`, such as when its card is near the window. */
export function useValues(kind: string, tag: string, enabled = true): ValuesResult {
  const { data, error, refetch } = useQuery({
    queryKey: [VALUES, kind, tag],
    queryFn: ({ signal }) => fetchValues({ plugin: kind, tags: [tag] }, signal),
    enabled,
    placeholderData: keepPreviousData,
  });
  const series = useMemo(() => (data ? new Map(data.series.map((each) => [each.run, each])) : NONE), [data]);
  return { series, loaded: data !== undefined, error: data ? null : error, retry: () => void refetch() };
}
