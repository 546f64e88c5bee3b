/** Values as differences from those of another line, the baseline, at the same x. Pure. */

import { upperBound } from "../base/search";
import { smooth } from "../chart";
import type { Points } from "./feed";

type Column = Float64Array | Float32Array;

/** A line as a function of x: straight between its points, nothing beyond its ends. */
export interface Curve {
  x: Float64Array;
  y: Column;
}

/** Points less the baseline; those where the baseline has no value are left out. */
export function difference(points: Points, base: Points, smoothing: number): Points {
  const raw = curveOf(base.x, base.y);
  const kept = indicesWithin(points.x, raw);
  const y = lessThan(points.x, points.y, kept, raw);
  const { sx, sy } = points;
  const smoothed = sy === null ? null : smoothedLess(points, base, smoothing);
  return {
    ...points,
    x: pick(points.x, kept),
    y,
    aux: points.aux && pick(points.aux, kept),
    sx: sy === null ? sx : smoothed!.x,
    sy: sy === null ? null : smoothed!.y,
    lo: null,
    hi: null,
    members: null,
    nonfinite: null,
  };
}

/** What the points say at the places where they say something else than at the baseline is smoothed on its own. */
function smoothedLess(points: Points, base: Points, smoothing: number): { x: Float64Array; y: Float64Array } {
  const ground = curveOf(base.sx ?? base.x, base.sy ?? smooth(base.y, smoothing));
  const x = points.sx ?? points.x;
  const kept = indicesWithin(x, ground);
  return { x: pick(x, kept), y: lessThan(x, points.sy!, kept, ground) };
}

/** A curve whose x does not go back: where it was started again the later points hold. */
export function curveOf(x: Float64Array, y: Column): Curve {
  let keep = x.length;
  let least = Number.POSITIVE_INFINITY;
  const kept: number[] = [];
  for (let i = keep - 1; i >= 0; i--) {
    if (x[i]! >= least || y[i]! - y[i]! !== 0) continue;
    least = x[i]!;
    kept.push(i);
  }
  keep = kept.length;
  kept.reverse();
  return keep === x.length ? { x, y } : { x: pick(x, kept), y: pick(y, kept) };
}

/** Value of a curve at `at`; NaN beyond its ends. */
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
  const kept: number[] = [];
  const [first, last] = [ground[0], ground.at(-1)];
  if (first === undefined || last === undefined) return kept;
  for (let i = 0; i < x.length; i++) if (x[i]! >= first && x[i]! <= last) kept.push(i);
  return kept;
}

function lessThan(x: Float64Array, y: Column, kept: readonly number[], base: Curve): Float64Array {
  return Float64Array.from(kept, (i) => y[i]! - valueAt(base, x[i]!));
}

function pick(column: Column, kept: readonly number[]): Float64Array {
  return Float64Array.from(kept, (i) => column[i]!);
}
