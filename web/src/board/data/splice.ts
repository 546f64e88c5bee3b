/**
 * Finer points for the beginning of a log x axis, which shows the first steps wider than the columns that points are
 * downsampled to. The beginning is fetched separately and replaces that part of the series. Pure.
 */

import { upperBound } from "../../lib/search";
import type { Points } from "./points";

type Column = Float64Array | Float32Array;
type Span = readonly [number, number];

/** The head is about this many times shorter than the whole. */
const SHARE = 64;

/**
 * The range of the head of the view; null if there is none, or if no points were left out. It ends at a power of two,
 * so that it stays the same while the series grows.
 */
export function headRange(zoom: Span | null, series: Iterable<Points>): Span | null {
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let thinned = false;
  for (const { x, raw } of series) {
    thinned ||= !raw;
    left = Math.min(left, x[0] ?? left);
    right = Math.max(right, x.at(-1) ?? right);
  }
  const [from, to] = zoom ?? [left, right];
  const start = Math.max(0, from);
  if (!thinned || !(to > 4 * SHARE * start) || !Number.isFinite(to)) return null;
  return [start, 2 ** Math.ceil(Math.log2(to / SHARE))];
}

/**
 * Points of `head` up to `cut`, then those of `whole`. Returns `whole` if x goes back, as its order is not that of x.
 */
export function splice(head: Points, whole: Points, cut: number): Points {
  const smoothed = whole.sy !== null;
  if (goesBack(whole.x) || goesBack(head.x) || (smoothed && head.sy === null)) return whole;
  const [ends, begins] = [upperBound(head.x, cut), upperBound(whole.x, cut)];
  const raw = <Part extends Column | Uint32Array>(a: Part | null | undefined, b: Part | null | undefined) =>
    a && b ? joined(a.subarray(0, ends), b.subarray(begins)) : null;
  const [headX, wholeX] = [head.sx ?? head.x, whole.sx ?? whole.x];
  const [last, first] = [upperBound(headX, cut), upperBound(wholeX, cut)];
  return {
    ...whole,
    x: joined(head.x.subarray(0, ends), whole.x.subarray(begins)) as Float64Array,
    y: raw<Column>(head.y, whole.y) as Column,
    aux: raw(head.aux, whole.aux) as Float64Array | null,
    sx: smoothed ? (joined(headX.subarray(0, last), wholeX.subarray(first)) as Float64Array) : null,
    sy: smoothed ? (joined(head.sy!.subarray(0, last), whole.sy!.subarray(first)) as Column) : null,
    lo: raw<Column>(head.lo, whole.lo) as Column | null,
    hi: raw<Column>(head.hi, whole.hi) as Column | null,
    members: raw(head.members, whole.members) as Uint32Array | null,
    nonfinite: raw(head.nonfinite, whole.nonfinite) as Uint32Array | null,
  };
}

/** Returns the same object for the same parts, as charts cache by identity. */
export class Splicer {
  readonly #cache = new WeakMap<Points, { head: Points; points: Points }>();

  splice(head: Points, whole: Points, cut: number): Points {
    const known = this.#cache.get(whole);
    if (known?.head === head) return known.points;
    const points = splice(head, whole, cut);
    this.#cache.set(whole, { head, points });
    return points;
  }
}

function joined(a: Column | Uint32Array, b: Column | Uint32Array): Column | Uint32Array {
  const Wide = a.BYTES_PER_ELEMENT > b.BYTES_PER_ELEMENT ? a.constructor : b.constructor;
  const both = new (Wide as Float64ArrayConstructor)(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

function goesBack(x: Float64Array): boolean {
  for (let i = 1; i < x.length; i++) if (x[i]! < x[i - 1]!) return true;
  return false;
}
