/**
 * The rows of a comparison: hyperparameters that differ first, metrics with their difference from the baseline. Pure.
 */

import { naturalOrder } from "../../../lib/natural-order";
import { bestStat, type Direction, directionOf } from "../../runs/direction";
import type { ConfigValue } from "../../runs/run-details";

export interface ConfigRow {
  key: string;
  /** One per run; undefined if the run does not have it. */
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

/** The statistic shown for a metric: its last value, or its best if the name says which direction is better. */
export type StatChoice = "last" | "best" | "min" | "max" | "mean";
export type SeriesStat = Exclude<StatChoice, "best">;

/** Statistics of one run under one tag. */
export type Stats = Readonly<Record<SeriesStat, number>>;

export interface MetricRow {
  tag: string;
  stat: SeriesStat;
  direction: Direction | null;
  /** One per run; null if the run does not have the tag. */
  values: readonly (number | null)[];
  /** Indices of the best of several values, if the direction is known. */
  best: readonly number[];
}

export function metricRow(
  tag: string,
  stats: readonly (Stats | undefined)[],
  statChoice: StatChoice,
): MetricRow {
  const direction = directionOf(tag);
  const stat = statChoice === "best" ? bestStat(tag) : statChoice;
  const values = stats.map((each) => each?.[stat] ?? null);
  return { tag, stat, direction, values, best: bestPlaces(values, direction) };
}

function bestPlaces(values: readonly (number | null)[], direction: Direction | null): number[] {
  const finite = values.filter((value): value is number => value !== null && Number.isFinite(value));
  if (direction === null || new Set(finite).size < 2) return [];
  const best = direction === "down" ? Math.min(...finite) : Math.max(...finite);
  return values.flatMap((value, at) => (value === best ? [at] : []));
}

/** The difference of a value from that of the baseline; null if either is missing. */
export function difference(value: number | null, base: number | null): number | null {
  if (value === null || base === null) return null;
  const apart = value - base;
  return Number.isFinite(apart) ? apart : null;
}

/** Whether a difference is an improvement; null if unknown. */
export function isBetter(apart: number, direction: Direction | null): boolean | null {
  if (direction === null || apart === 0) return null;
  return direction === "down" ? apart < 0 : apart > 0;
}
