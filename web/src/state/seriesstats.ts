/** Statistics of whole series, asked for by the pages that tell them in tables. */

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { askStats } from "../api/board";
import type { SeriesStats } from "../api/schema.gen";
import type { RunFacts } from "./facts";
import type { TagInfo } from "./lists";

export interface SeriesFigures {
  last: number;
  lastStep: number;
  min: number;
  minStep: number;
  max: number;
  maxStep: number;
  mean: number;
  /** The step from which on it has no numbers any more; null where it ends in one. */
  lostFrom: number | null;
  points: number;
}

/** By run id and tag. */
export type FiguresOf = (run: RunFacts, tag: string) => SeriesFigures | undefined;

/** They grow with the runs: asked again when a run holds other points than before. */
export function useFigures(
  tags: readonly TagInfo[],
  runs: readonly RunFacts[],
): { figures: FiguresOf | null; failed: boolean } {
  const ids = runs.flatMap(({ id, folded }) => [id, ...folded]);
  const names = tags.map(({ tag }) => tag);
  const points = runs.map(({ run }) => run.points);
  const { data, isError } = useQuery({
    queryKey: ["figures", ids, names, points],
    queryFn: ({ signal }) => askStats({ tags: names, runs: ids }, signal),
    enabled: ids.length > 0 && names.length > 0,
    placeholderData: (before) => before,
  });
  const figures = useMemo(() => (data ? lookup(data.stats) : null), [data]);
  return { figures, failed: isError };
}

function lookup(stats: readonly SeriesStats[]): FiguresOf {
  const bySeries = new Map(stats.map((each) => [`${each.run} ${each.tag}`, each]));
  return ({ id, folded }, tag) => {
    for (const run of [id, ...folded]) {
      const found = bySeries.get(`${run} ${tag}`);
      if (found) return figuresFrom(found);
    }
    return undefined;
  };
}

/** JSON spells out what is not a number; Number reads it back. */
function figuresFrom(stats: SeriesStats): SeriesFigures {
  return {
    last: Number(stats.last_value),
    lastStep: stats.last_step,
    min: Number(stats.min_value),
    minStep: stats.min_step,
    max: Number(stats.max_value),
    maxStep: stats.max_step,
    mean: Number(stats.mean),
    lostFrom: stats.nonfinite_tail > 0 ? stats.nonfinite_from : null,
    points: stats.held,
  };
}
