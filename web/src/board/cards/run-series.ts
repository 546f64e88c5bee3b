/** The series of a tag by run, in the order and style of the visible runs. */

import { useMemo } from "react";
import { memoize } from "../../lib/memoize";
import { useRuns } from "../data/lists";
import { useValues, type ValueSeries, type ValuesResult } from "../data/values";
import type { LineStyle } from "../runs/line-styles";
import { valueIndexAt } from "../view/steps";

export interface RunSeries {
  lineStyle: LineStyle;
  /** The name of the run on the server; a folded run has the style of its parent. */
  run: string;
  series: ValueSeries;
}

export interface RunSeriesResult extends Omit<ValuesResult, "series"> {
  list: readonly RunSeries[];
}

/** Names of runs on the server, by id. */
export function useRunNames(): ReadonlyMap<number, string> {
  return namesOf(useRuns());
}

const namesOf = memoize(
  (runs: readonly { id: number; name: string }[]) => new Map(runs.map(({ id, name }) => [id, name])),
);

/** Runs without values of the tag are left out. */
export function useRunSeries(
  kind: string,
  tag: string,
  runs: readonly LineStyle[],
  enabled = true,
): RunSeriesResult {
  const { series, ...rest } = useValues(kind, tag, enabled);
  const names = useRunNames();
  const list = useMemo(
    () =>
      runs.flatMap((lineStyle): RunSeries[] => {
        const found = series.get(lineStyle.id);
        const run = names.get(lineStyle.id);
        return found && run !== undefined && found.keys.length > 0 ? [{ lineStyle, run, series: found }] : [];
      }),
    [runs, series, names],
  );
  return { ...rest, list };
}

export interface SeriesValue {
  /** Position in the series. */
  index: number;
  key: string;
  step: number;
  wall: number | string;
  /** Size in bytes in the file. */
  size: number;
}

/** The value at `index`; undefined where there is none. */
export function valueIn({ series }: Pick<RunSeries, "series">, index: number): SeriesValue | undefined {
  const [key, step, wall, size] = [
    series.keys[index],
    series.steps[index],
    series.walls[index],
    series.sizes[index],
  ];
  if (key === undefined || step === undefined || wall === undefined || size === undefined) return undefined;
  return { index, key, step, wall, size };
}

/** The value nearest to a step, the last one for null. */
export function valueNear(series: Pick<RunSeries, "series">, step: number | null): SeriesValue | undefined {
  return valueIn(series, valueIndexAt(series.series.steps, step));
}
