/**
 * A series cut where a line must not pass. A *lap* is a stretch over which x does not go back (a restart begins
 * a new one); a *strand* is a stretch of a lap whose values can all be drawn. Both are kept as pairs of
 * indices [from, to, from, to, …].
 */

import { lowerBound, upperBound } from "../base/search";

export type Spans = Uint32Array;

/** Stretches over which x does not decrease. They cover every point. */
export function findLaps(x: ArrayLike<number>): Spans {
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

/** How points become lines. */
export interface Joining {
  /** The axis cannot show what is not positive. */
  logX: boolean;
  logY: boolean;
  /** Points follow each other in the order they came, even where x goes back. */
  tangled: boolean;
  /** The time in which nothing ran is part of the axis: a line across it would say what nobody measured. */
  paused: boolean;
}

/**
 * Stretches to draw as one line: finite values that the axes can show and, unless tangled, x not going back. `restarts`
 * are places on an axis with pauses, in order.
 */
export function findStrands(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  { logX, logY, tangled, paused }: Joining,
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
 * The part of one span that lies inside [min, max], as [from, to). With `neighbours` one point more on either
 * side, so that the line reaches the edge.
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
