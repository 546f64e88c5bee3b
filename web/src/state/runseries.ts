/** The series of a tag run by run, in the order and the looks of the runs on show. */

import { useMemo } from "react";
import { remember } from "../base/remember";
import { useRuns } from "./lists";
import type { RunLook } from "./looks";
import { valueAt } from "./steps";
import { type KnownValues, useValues, type ValueSeries } from "./values";

export interface RunSeries {
  look: RunLook;
  /** The name by which the server knows the run: the look of a folded run is that of another. */
  run: string;
  series: ValueSeries;
}

export interface KnownRunSeries extends Omit<KnownValues, "series"> {
  list: readonly RunSeries[];
}

/** The names by which the server knows runs, by id. */
export function useRunNames(): ReadonlyMap<number, string> {
  return namesOf(useRuns());
}

const namesOf = remember(
  (runs: readonly { id: number; name: string }[]) => new Map(runs.map(({ id, name }) => [id, name])),
);

/** Runs that hold no value of the tag are left out. */
export function useRunSeries(kind: string, tag: string, runs: readonly RunLook[]): KnownRunSeries {
  const { series, ...rest } = useValues(kind, tag);
  const names = useRunNames();
  const list = useMemo(
    () =>
      runs.flatMap((look): RunSeries[] => {
        const found = series.get(look.id);
        const run = names.get(look.id);
        return found && run !== undefined && found.keys.length > 0 ? [{ look, run, series: found }] : [];
      }),
    [runs, series, names],
  );
  return { ...rest, list };
}

export interface SeriesValue {
  /** Place in the series. */
  place: number;
  key: string;
  step: number;
  wall: number | string;
  /** Bytes in the file. */
  size: number;
}

/** The value at `place`; undefined where there is none. */
export function valueIn({ series }: Pick<RunSeries, "series">, place: number): SeriesValue | undefined {
  const [key, step, wall, size] = [
    series.keys[place],
    series.steps[place],
    series.walls[place],
    series.sizes[place],
  ];
  if (key === undefined || step === undefined || wall === undefined || size === undefined) return undefined;
  return { place, key, step, wall, size };
}

/** The value nearest to a step, the last one for null. */
export function valueNear(series: Pick<RunSeries, "series">, step: number | null): SeriesValue | undefined {
  return valueIn(series, valueAt(series.series.steps, step));
}
