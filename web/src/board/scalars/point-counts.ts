/**
 * How complete the picture of a card is: points drawn, points on the server, and the data attributes that show them.
 */

import type { ChartStats } from "../../chart";
import type { Line } from "./card-subscriptions";

export interface PointCounts {
  /** Points drawn, and points on the server, in the range in view. */
  drawn: number;
  total: number;
  /** The series is downsampled, and zooming would load more points. */
  thinned: boolean;
  /** Some points of a series share a step. */
  repeats: boolean;
}

export const NO_POINTS: PointCounts = { drawn: 0, total: 0, thinned: false, repeats: false };

export function pointCountsOf(lines: readonly Line[], stats: ChartStats): PointCounts {
  const thinned = lines.some(({ points }) => !points.raw);
  const repeats = lines.some(({ points }) => points.repeats === true);
  return { drawn: stats.drawn, total: heldInside(lines, stats), thinned, repeats };
}

export function samePointCounts(a: PointCounts, b: PointCounts): boolean {
  return a.drawn === b.drawn && a.total === b.total && a.thinned === b.thinned && a.repeats === b.repeats;
}

/**
 * The number of points on the server in the range in view, without the neighbours that only extend a line to the
 * edge.
 */
function heldInside(lines: readonly Line[], { xmin, xmax }: ChartStats): number {
  let held = 0;
  for (const { x, raw, inRange } of lines.map(({ points }) => points)) {
    let inside = 0;
    // A plain loop: iterators are slow for ten thousand points.
    for (let i = 0; i < x.length; i++) if (x[i]! >= xmin && x[i]! <= xmax) inside++;
    held += raw ? inside : inRange - (x.length - inside);
  }
  return held;
}

/** Writes data attributes for tests and scripts. */
export function writePointCounts({ dataset }: HTMLElement, lines: readonly Line[], stats: ChartStats): void {
  dataset.drawn = String(stats.drawn);
  dataset.drawMs = stats.drawMs.toFixed(1);
  dataset.turnMs = stats.turnMs.toFixed(1);
  dataset.xmin = String(stats.xmin);
  dataset.xmax = String(stats.xmax);
  dataset.ymin = String(stats.ymin);
  dataset.ymax = String(stats.ymax);
  dataset.held = String(lines.reduce((sum, { points }) => sum + points.held, 0));
  dataset.restarts = String(lines.reduce((sum, { points }) => sum + points.restarts.length, 0));
}
