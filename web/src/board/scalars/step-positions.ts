/** Maps steps to positions on the x axis and back. Pure. */

import type { Axis } from "../../chart";
import type { Pin } from "../view/view-state";
import type { Line } from "./card-subscriptions";

/**
 * x of a step. On the step axis that is the step; on others the x at which the pinned run had it: the same event, not
 * the same number. Null if the run is not here.
 */
export function xOfStep(lines: readonly Line[], axis: Axis, step: number, run: string | null): number | null {
  if (axis === "step") return step;
  const line = lines.find(
    ({ lineStyle, points }) => points.aux !== null && (run === null || lineStyle.name === run),
  );
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

/** The selected range in units of the axis, in order; null if no line has these steps. */
export function xRangeOf(
  lines: readonly Line[],
  axis: Axis,
  range: readonly [number, number] | null,
  pin: Pin | null,
): [number, number] | null {
  if (range === null) return null;
  const known = pin !== null && lines.some(({ lineStyle }) => lineStyle.name === pin.run) ? pin.run : null;
  const [from, to] = range.map((step) => xOfStep(lines, axis, step, known));
  if (from === null || to === null || from === undefined || to === undefined) return null;
  return from <= to ? [from, to] : [to, from];
}

/** The steps of the points of a line, on any axis. */
export function stepsOf({ points }: Line, axis: Axis): Float64Array | null {
  return axis === "step" ? points.x : points.aux;
}

/** The step of the point nearest to `x`, over all lines. */
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
