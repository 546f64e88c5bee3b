/**
 * Splits a series where its line is interrupted. A *monotone run* is a range of points in which x does not decrease
 * (a restart begins a new one); a *segment* is a part of one in which all values can be drawn. Both are stored as
 * pairs of indices [from, to, from, to, …].
 */

import { lowerBound, upperBound } from "../lib/search";

export type Spans = Uint32Array;

/** Ranges in which x does not decrease. They cover every point. */
export function findMonotoneRuns(x: ArrayLike<number>): Spans {
  const spans: number[] = [];
  let from = 0;
  for (let i = 1; i < x.length; i++) {
    if (x[i]! >= x[i - 1]!) continue;
    spans.push(from, i);
    from = i;
  }
  if (x.length > 0) spans.push(from, x.length);
  return Uint32Array.from(spans);
}

/** Rules for connecting points. */
export interface JoinRules {
  /** The axis is logarithmic and cannot show values that are not positive. */
  logX: boolean;
  logY: boolean;
  /** Connect points in the order of arrival, even if x goes back. */
  tangled: boolean;
  /** Pauses are part of the axis: a line across one would show values that nobody measured. */
  paused: boolean;
}

/**
 * Ranges to draw as one line: finite values that the axes can show and, unless tangled, x not going back. `restarts`
 * are sorted positions on an axis with pauses.
 */
export function findSegments(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  { logX, logY, tangled, paused }: JoinRules,
  restarts: ArrayLike<number> = [],
): Spans {
  const spans: number[] = [];
  let from = -1;
  let next = paused ? 0 : restarts.length;
  for (let i = 0; i < x.length; i++) {
    const value = y[i]!;
    const drawable = value - value === 0 && (!logY || value > 0) && (!logX || x[i]! > 0);
    let anew = false;
    for (; next < restarts.length && x[i]! >= restarts[next]!; next++) anew = true;
    if (from >= 0 && (!drawable || anew || (!tangled && x[i]! < x[i - 1]!))) {
      spans.push(from, i);
      from = -1;
    }
    if (drawable && from < 0) from = i;
  }
  if (from >= 0) spans.push(from, x.length);
  return Uint32Array.from(spans);
}

/**
 * The part of a span inside [min, max], as [from, to). With `neighbours`, one more point on either side, so that the
 * line reaches the edge.
 */
export function clipSpan(
  x: ArrayLike<number>,
  from: number,
  to: number,
  min: number,
  max: number,
  neighbours: boolean,
): [number, number] {
  const first = lowerBound(x, min, from, to);
  const last = upperBound(x, max, first, to);
  return neighbours ? [Math.max(from, first - 1), Math.min(to, last + 1)] : [first, last];
}
