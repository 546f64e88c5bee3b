/** Statistics of a line over a range of steps: start, end, minimum, maximum, mean, slope. Pure. */

import type { RangeStats } from "../../api/schema.gen";
import { meanOf } from "../../lib/mean";
import type { Points } from "../data/feed";

export interface Extreme {
  value: number;
  step: number;
}

/** Statistics of the finite points. */
export interface RangeStatistics {
  points: number;
  start: Extreme;
  /** The last finite point; see `nonfinite`. */
  end: Extreme;
  /** If the range ends in non-finite points: the first of them. */
  nonfinite: Extreme | null;
  /** For a group with non-finite members at the end: the number of finite and of non-finite ones. */
  partial: { members: number; nonfinite: number } | null;
  min: Extreme;
  max: Extreme;
  mean: number;
  /** Slope of the least squares line per step; NaN for a single step. */
  slope: number;
  /** Values estimated from the drawn points, as not all points of the range are here. */
  estimates: readonly ("mean" | "slope")[];
}

const EXACT: RangeStatistics["estimates"] = [];
const ESTIMATES: RangeStatistics["estimates"] = ["mean", "slope"];

type Span = readonly [number, number];

/** `steps` belong to the values; `range` null is everything. Null without finite points. */
export function statisticsOf(
  points: Points,
  steps: Float64Array,
  range: Span | null,
): RangeStatistics | null {
  const within = placesWithin(steps, range);
  const inside = within.filter((i) => Number.isFinite(points.y[i]!));
  if (inside.length === 0) return null;
  const at = (i: number): Extreme => ({ value: points.y[i]!, step: steps[i]! });
  let [least, most] = [inside[0]!, inside[0]!];
  for (const i of inside) {
    if (points.y[i]! < points.y[least]!) least = i;
    if (points.y[i]! > points.y[most]!) most = i;
  }
  const mean = meanOf(inside.map((i) => points.y[i]!));
  return {
    points: inside.length,
    start: at(inside[0]!),
    end: at(inside.at(-1)!),
    nonfinite: inside.at(-1) === within.at(-1) ? null : at(within[within.indexOf(inside.at(-1)!) + 1]!),
    partial: partialAt(points, inside.at(-1)!),
    min: at(least),
    max: at(most),
    mean,
    slope: slopeOf(points.y, steps, inside, mean),
    estimates: points.raw ? EXACT : ESTIMATES,
  };
}

/** Exact statistics of all points of the range from the server. */
export function exactStatistics(stats: RangeStats): RangeStatistics {
  const at = (value: RangeStats["mean"], step: number): Extreme => ({ value: Number(value), step });
  return {
    points: stats.points,
    start: at(stats.first_value, stats.first_step),
    end: at(stats.last_value, stats.last_step),
    nonfinite:
      stats.lost_value === null || stats.lost_step === null ? null : at(stats.lost_value, stats.lost_step),
    partial: null,
    min: at(stats.min_value, stats.min_step),
    max: at(stats.max_value, stats.max_step),
    mean: Number(stats.mean),
    slope: Number(stats.slope),
    estimates: EXACT,
  };
}

function partialAt({ members, nonfinite }: Points, at: number): RangeStatistics["partial"] {
  const lost = nonfinite?.[at] ?? 0;
  return lost > 0 ? { members: members?.[at] ?? 0, nonfinite: lost } : null;
}

/**
 * The change from the first to the last point, absolute and relative; NaN if the range ends in non-finite points, or
 * if fewer members remain.
 */
export function changeOf({ start, end, nonfinite, partial }: RangeStatistics): {
  by: number;
  part: number;
} {
  if (nonfinite !== null || partial !== null) return { by: Number.NaN, part: Number.NaN };
  const by = end.value - start.value;
  return { by, part: by / Math.abs(start.value) };
}

function placesWithin(steps: Float64Array, range: Span | null): number[] {
  const found: number[] = [];
  for (let i = 0; i < steps.length; i++)
    if (range === null || (steps[i]! >= range[0] && steps[i]! <= range[1])) found.push(i);
  return found;
}

/** Small enough that products of values and steps do not overflow. */
const TINY = 2 ** -200;

function slopeOf(y: ArrayLike<number>, steps: Float64Array, inside: readonly number[], mean: number): number {
  const middle = meanOf(inside.map((i) => steps[i]!));
  const slope = (scale: number): number => {
    let along = 0;
    let apart = 0;
    for (const i of inside) {
      const dx = steps[i]! - middle;
      along += dx * (y[i]! * scale - mean * scale);
      apart += dx * dx;
    }
    return apart === 0 ? Number.NaN : along / apart / scale;
  };
  const found = slope(1);
  return Number.isFinite(found) ? found : slope(TINY);
}
