/** Where steps stand on the axis of a chart, and which step stands at a place. Pure. */

import type { Axis } from "../../chart";
import type { Pin } from "../../state/viewstate";
import type { Line } from "./sources";

/**
 * x of a step. On the axis of steps that is the step; on others it is where the pinned run had it: the same event, not
 * the same number. Null if the run is not here.
 */
export function placeOf(lines: readonly Line[], axis: Axis, step: number, run: string | null): number | null {
  if (axis === "step") return step;
  const line = lines.find(({ look, points }) => points.aux !== null && (run === null || look.name === run));
  if (!line) return null;
  const { x, aux } = line.points;
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < aux!.length; i++) {
    const apart = Math.abs(aux![i]! - step);
    if (apart > least) continue;
    least = apart;
    best = i;
  }
  return best < 0 ? null : x[best]!;
}

/** The chosen range on the axis of a chart, in order; null if nobody here knows those steps. */
export function placeRange(
  lines: readonly Line[],
  axis: Axis,
  range: readonly [number, number] | null,
  pin: Pin | null,
): [number, number] | null {
  if (range === null) return null;
  const known = pin !== null && lines.some(({ look }) => look.name === pin.run) ? pin.run : null;
  const [from, to] = range.map((step) => placeOf(lines, axis, step, known));
  if (from === null || to === null || from === undefined || to === undefined) return null;
  return from <= to ? [from, to] : [to, from];
}

/** Steps beside the points of a line, whatever its axis. */
export function stepsOf({ points }: Line, axis: Axis): Float64Array | null {
  return axis === "step" ? points.x : points.aux;
}

/** The step of the point nearest to `x`, on the line that has one nearest. */
export function stepAt(lines: readonly Line[], axis: Axis, x: number): number | null {
  if (axis === "step") return x;
  let step: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const { points } of lines) {
    if (points.aux === null) continue;
    for (let i = 0; i < points.x.length; i++) {
      const apart = Math.abs(points.x[i]! - x);
      if (apart >= least) continue;
      least = apart;
      step = points.aux[i]!;
    }
  }
  return step;
}
