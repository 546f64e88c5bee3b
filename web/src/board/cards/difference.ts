/** Differences from another line, the baseline, at the same x. Pure. */

import { smooth } from "../../chart";
import { upperBound } from "../../lib/search";
import type { Points } from "../data/feed";

type Column = Float64Array | Float32Array;

/** A line as a function of x: linear between its points, undefined beyond its ends. */
export interface Curve {
  x: Float64Array;
  y: Column;
}

/** The points minus the baseline. Points where the baseline has no value are left out. */
export function difference(points: Points, base: Points, smoothing: number): Points {
  const raw = curveOf(base.x, base.y);
  const indices = indicesWithin(points.x, raw);
  const y = lessThan(points.x, points.y, indices, raw);
  const { sx, sy } = points;
  const smoothed = sy === null ? null : smoothedLess(points, base, smoothing);
  return {
    ...points,
    x: pick(points.x, indices),
    y,
    aux: points.aux && pick(points.aux, indices),
    sx: sy === null ? sx : smoothed!.x,
    sy: sy === null ? null : smoothed!.y,
    lo: null,
    hi: null,
    members: null,
    nonfinite: null,
  };
}

/** Smooths separately the points that have x values other than those of the baseline. */
function smoothedLess(points: Points, base: Points, smoothing: number): { x: Float64Array; y: Float64Array } {
  const ground = curveOf(base.sx ?? base.x, base.sy ?? smooth(base.y, smoothing));
  const x = points.sx ?? points.x;
  const indices = indicesWithin(x, ground);
  return { x: pick(x, indices), y: lessThan(x, points.sy!, indices, ground) };
}

/** A curve whose x never goes back: after a restart the later points count. */
export function curveOf(x: Float64Array, y: Column): Curve {
  let keep = x.length;
  let least = Number.POSITIVE_INFINITY;
  const indices: number[] = [];
  for (let i = keep - 1; i >= 0; i--) {
    if (x[i]! >= least || y[i]! - y[i]! !== 0) continue;
    least = x[i]!;
    indices.push(i);
  }
  keep = indices.length;
  indices.reverse();
  return keep === x.length ? { x, y } : { x: pick(x, indices), y: pick(y, indices) };
}

/** The value of a curve at `at`; NaN beyond its ends. */
export function valueAt({ x, y }: Curve, at: number): number {
  const after = upperBound(x, at);
  if (after === 0) return Number.NaN;
  const before = after - 1;
  if (x[before] === at) return y[before]!;
  if (after === x.length) return Number.NaN;
  const part = (at - x[before]!) / (x[after]! - x[before]!);
  return y[before]! + part * (y[after]! - y[before]!);
}

function indicesWithin(x: Float64Array, { x: ground }: Curve): number[] {
  const indices: number[] = [];
  const [first, last] = [ground[0], ground.at(-1)];
  if (first === undefined || last === undefined) return indices;
  for (let i = 0; i < x.length; i++) if (x[i]! >= first && x[i]! <= last) indices.push(i);
  return indices;
}

function lessThan(x: Float64Array, y: Column, indices: readonly number[], base: Curve): Float64Array {
  return Float64Array.from(indices, (i) => y[i]! - valueAt(base, x[i]!));
}

function pick(column: Column, indices: readonly number[]): Float64Array {
  return Float64Array.from(indices, (i) => column[i]!);
}
