/** What a line says over a range of steps: where it starts and ends, its least, greatest and mean, its slope. Pure. */

import type { RangeStats } from "../../api/schema.gen";
import { meanOf } from "../../base/mean";
import type { Points } from "../../state/feed";

export interface Extreme {
  value: number;
  step: number;
}

/** Over the finite points; a range without any has none of it. */
export interface RangeStatistics {
  points: number;
  start: Extreme;
  /** The last finite point; see `lost`. */
  end: Extreme;
  /** Where the range ends in points that are no numbers: the first of them. */
  lost: Extreme | null;
  /** Of a group of which at its end some members have no number: how many have one, and how many have none. */
  partial: { members: number; nonfinite: number } | null;
  min: Extreme;
  max: Extreme;
  mean: number;
  /** Change per step of the straight line that fits best; NaN for a single step. */
  slope: number;
  /** What is told of the points drawn, as not all of the range are here. */
  estimates: readonly ("mean" | "slope")[];
}

const EXACT: RangeStatistics["estimates"] = [];
const ESTIMATES: RangeStatistics["estimates"] = ["mean", "slope"];

type Span = readonly [number, number];

/** `steps` beside the values; `range` null is everything. Null if there is no finite point. */
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
    lost: inside.at(-1) === within.at(-1) ? null : at(within[within.indexOf(inside.at(-1)!) + 1]!),
    partial: partialAt(points, inside.at(-1)!),
    min: at(least),
    max: at(most),
    mean,
    slope: slopeOf(points.y, steps, inside, mean),
    estimates: points.raw ? EXACT : ESTIMATES,
  };
}

/** What the server told of every point of the range. */
export function exact(told: RangeStats): RangeStatistics {
  const at = (value: RangeStats["mean"], step: number): Extreme => ({ value: Number(value), step });
  return {
    points: told.points,
    start: at(told.first_value, told.first_step),
    end: at(told.last_value, told.last_step),
    lost: told.lost_value === null || told.lost_step === null ? null : at(told.lost_value, told.lost_step),
    partial: null,
    min: at(told.min_value, told.min_step),
    max: at(told.max_value, told.max_step),
    mean: Number(told.mean),
    slope: Number(told.slope),
    estimates: EXACT,
  };
}

function partialAt({ members, nonfinite }: Points, at: number): RangeStatistics["partial"] {
  const lost = nonfinite?.[at] ?? 0;
  return lost > 0 ? { members: members?.[at] ?? 0, nonfinite: lost } : null;
}

/**
 * Change from the first to the last point, and as a part of the first; NaN where it ends in what is no number, or for
 * fewer members than it began with as the others do.
 */
export function changeOf({ start, end, lost, partial }: RangeStatistics): { by: number; part: number } {
  if (lost !== null || partial !== null) return { by: Number.NaN, part: Number.NaN };
  const by = end.value - start.value;
  return { by, part: by / Math.abs(start.value) };
}

function placesWithin(steps: Float64Array, range: Span | null): number[] {
  const found: number[] = [];
  for (let i = 0; i < steps.length; i++)
    if (range === null || (steps[i]! >= range[0] && steps[i]! <= range[1])) found.push(i);
  return found;
}

/** Far below one, so that no product of a value and a step is beyond all numbers. */
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
