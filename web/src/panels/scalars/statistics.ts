/** What a line says over a range of steps: where it starts and ends, its least, greatest and mean, its slope. Pure. */

import type { RangeStats } from "../../api/schema.gen";
import type { Points } from "../../state/feed";

export interface Extreme {
  value: number;
  step: number;
}

/** Over the finite points; a range without any has none of it. */
export interface RangeStatistics {
  points: number;
  start: Extreme;
  end: Extreme;
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
  const inside = finiteWithin(points.y, steps, range);
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
    min: at(told.min_value, told.min_step),
    max: at(told.max_value, told.max_step),
    mean: Number(told.mean),
    slope: Number(told.slope),
    estimates: EXACT,
  };
}

/** Change from the first to the last point, and as a part of the first. */
export function changeOf({ start, end }: RangeStatistics): { by: number; part: number } {
  const by = end.value - start.value;
  return { by, part: by / Math.abs(start.value) };
}

function finiteWithin(y: ArrayLike<number>, steps: Float64Array, range: Span | null): number[] {
  const found: number[] = [];
  for (let i = 0; i < y.length; i++) {
    const inside = range === null || (steps[i]! >= range[0] && steps[i]! <= range[1]);
    if (inside && Number.isFinite(y[i]!)) found.push(i);
  }
  return found;
}

/** With the rounding of each addition carried along, so that the order of magnitude of the sum does not matter. */
function meanOf(values: readonly number[]): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return (sum + lost) / values.length;
}

function slopeOf(y: ArrayLike<number>, steps: Float64Array, inside: readonly number[], mean: number): number {
  const middle = meanOf(inside.map((i) => steps[i]!));
  let along = 0;
  let apart = 0;
  for (const i of inside) {
    const dx = steps[i]! - middle;
    along += dx * (y[i]! - mean);
    apart += dx * dx;
  }
  return apart === 0 ? Number.NaN : along / apart;
}
