/** Statistics of whole series, for pages that show them in tables. */

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { fetchStats } from "../../api/board";
import type { SeriesStats } from "../../api/schema.gen";
import type { TagInfo } from "../data/lists";
import type { RunDetails } from "./run-details";

export interface SeriesSummary {
  last: number;
  lastStep: number;
  min: number;
  minStep: number;
  max: number;
  maxStep: number;
  mean: number;
  /** The step from which on it is non-finite; null if it ends in a finite number. */
  nonfiniteFrom: number | null;
  points: number;
}

/** By run id and tag. */
export type SeriesSummaryOf = (run: RunDetails, tag: string) => SeriesSummary | undefined;

/** Fetched again when a run has other points than before. */
export function useSeriesSummaries(
  tags: readonly TagInfo[],
  runs: readonly RunDetails[],
): { figures: SeriesSummaryOf | null; failed: boolean } {
  const ids = runs.flatMap(({ id, folded }) => [id, ...folded]);
  const names = tags.map(({ tag }) => tag);
  const points = runs.map(({ run }) => run.points);
  const { data, isError } = useQuery({
    queryKey: ["figures", ids, names, points],
    queryFn: ({ signal }) => fetchStats({ tags: names, runs: ids }, signal),
    enabled: ids.length > 0 && names.length > 0,
    placeholderData: (before) => before,
  });
  const figures = useMemo(() => (data ? lookup(data.stats) : null), [data]);
  return { figures, failed: isError };
}

function lookup(stats: readonly SeriesStats[]): SeriesSummaryOf {
  const bySeries = new Map(stats.map((each) => [`${each.run} ${each.tag}`, each]));
  return ({ id, folded }, tag) => {
    for (const run of [id, ...folded]) {
      const found = bySeries.get(`${run} ${tag}`);
      if (found) return summaryFrom(found);
    }
    return undefined;
  };
}

/** JSON has strings for non-finite numbers, which Number() converts. */
function summaryFrom(stats: SeriesStats): SeriesSummary {
  return {
    last: Number(stats.last_value),
    lastStep: stats.last_step,
    min: Number(stats.min_value),
    minStep: stats.min_step,
    max: Number(stats.max_value),
    maxStep: stats.max_step,
    mean: Number(stats.mean),
    nonfiniteFrom: stats.nonfinite_tail > 0 ? stats.nonfinite_from : null,
    points: stats.held,
  };
}
