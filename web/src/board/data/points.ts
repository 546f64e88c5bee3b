/** The points of a line as the server sends them. */

import type { ChartSeries } from "../../chart";

/** A series from the server: everything but its style. */
export type Points = Omit<ChartSeries, "tag" | "label" | "color" | "dash" | "weight">;

/** Whether every point of the series is here, or there is none. */
export function isWhole(points: Points | null): boolean {
  return points === null || (points.raw && points.inRange >= points.held);
}

export function sizeBytes(points: Points): number {
  const { x, y, aux, sx, sy, restarts, lo, hi, members } = points;
  const columns = [x, y, aux, sx, sy, restarts, lo, hi, members];
  return columns.reduce((sum, column) => sum + (column?.byteLength ?? 0), 256);
}
