/** The rows of a comparison: hyper-parameters that differ first, metrics with their distance from the baseline. Pure. */

import { bestStat, type Direction, directionOf } from "../../state/direction";
import type { ConfigValue } from "../../state/facts";
import { naturalOrder } from "../../state/natural";

export interface ConfigRow {
  key: string;
  /** One for each run; undefined where the run does not have it. */
  values: readonly (ConfigValue | undefined)[];
}

export interface ConfigRows {
  differing: readonly ConfigRow[];
  equal: readonly ConfigRow[];
}

type Configured = { config: Readonly<Record<string, ConfigValue>> };

export function configRows(runs: readonly Configured[]): ConfigRows {
  const keys = [...new Set(runs.flatMap(({ config }) => Object.keys(config)))].sort(naturalOrder);
  const rows = keys.map((key): ConfigRow => ({ key, values: runs.map(({ config }) => own(config, key)) }));
  const isEqual = ({ values }: ConfigRow) => values.every((value) => Object.is(value, values[0]));
  return { differing: rows.filter((row) => !isEqual(row)), equal: rows.filter(isEqual) };
}

function own(config: Configured["config"], key: string): ConfigValue | undefined {
  return Object.hasOwn(config, key) ? config[key] : undefined;
}

/** What is told of a metric: its last value, or its best if its name says which end is. */
export type Telling = "last" | "best" | "min" | "max" | "mean";
export type TellingStat = Exclude<Telling, "best">;

/** Statistics of one run under one tag. */
export type Stats = Readonly<Record<TellingStat, number>>;

export interface MetricRow {
  tag: string;
  stat: TellingStat;
  direction: Direction | null;
  /** One for each run; null where the run does not have the tag. */
  values: readonly (number | null)[];
  /** Places of the best of several, if it is known which end is. */
  best: readonly number[];
}

export function metricRow(tag: string, stats: readonly (Stats | undefined)[], telling: Telling): MetricRow {
  const direction = directionOf(tag);
  const stat = telling === "best" ? bestStat(tag) : telling;
  const values = stats.map((each) => each?.[stat] ?? null);
  return { tag, stat, direction, values, best: bestPlaces(values, direction) };
}

function bestPlaces(values: readonly (number | null)[], direction: Direction | null): number[] {
  const finite = values.filter((value): value is number => value !== null && Number.isFinite(value));
  if (direction === null || new Set(finite).size < 2) return [];
  const best = direction === "down" ? Math.min(...finite) : Math.max(...finite);
  return values.flatMap((value, at) => (value === best ? [at] : []));
}

/** How far a value is from that of the baseline; null where there is nothing to measure. */
export function difference(value: number | null, base: number | null): number | null {
  if (value === null || base === null) return null;
  const apart = value - base;
  return Number.isFinite(apart) ? apart : null;
}

/** Whether a difference is for the better; null where nobody can say. */
export function isBetter(apart: number, direction: Direction | null): boolean | null {
  if (direction === null || apart === 0) return null;
  return direction === "down" ? apart < 0 : apart > 0;
}
