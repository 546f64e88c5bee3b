/**
 * Finds what is at or near a position of a picture, by binary search in each monotone run. Only real points are
 * returned.
 */

import { nearestIndex } from "../lib/search";
import { clipSegment, type Line, type Path, prepareLine } from "./line";
import type { ChartSeries, Row } from "./model";
import type { Picture } from "./picture";
import { rowUnder } from "./strip";

export interface PixelPosition {
  /** CSS pixels from the top left corner of the chart. */
  x: number;
  y: number;
}

/** Distance at which the pointer still selects a line. */
const REACH = 40;
/** Half of a pixel column and the whole of its neighbour, in pixels. */
const COLUMN_REACH = 1.5;

/** Index of the raw point nearest in x over all monotone runs, the latest of equals; -1 without points. */
export function pointAt({ monotoneRuns, series }: Line, x: number): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let monotoneRun = 0; monotoneRun < monotoneRuns.length; monotoneRun += 2) {
    const i = nearestIndex(series.x, x, monotoneRuns[monotoneRun]!, monotoneRuns[monotoneRun + 1]!);
    const apart = Math.abs(series.x[i]! - x);
    if (i < 0 || apart > least) continue;
    least = apart;
    best = i;
  }
  return best;
}

/** The exact point under the pointer: after a restart x alone is ambiguous. */
export interface PointerTarget {
  line: Line;
  /** Index of a raw point. */
  i: number;
}

/** Index of the point of a line for `x`: the target if it is on this line and at x. -1 without points. */
export function pointFor(line: Line, x: number, target: PointerTarget | null): number {
  return target !== null && target.line === line && line.series.x[target.i] === x
    ? target.i
    : pointAt(line, x);
}

/**
 * One row per series with points, in the order of the series; of one run unless `run` is null. `pointer` is null if
 * it is elsewhere.
 */
export function rowsAt(
  picture: Picture,
  x: number,
  pointer: PixelPosition | null,
  target: PointerTarget | null = null,
  run: number | null = null,
): Row[] {
  const rows: Row[] = [];
  picture.lines.forEach((line, at) => {
    if (run !== null && line.series.run !== run) return;
    const i = pointFor(line, x, target);
    if (i < 0) return;
    const row = rowOf(picture, line, i, x, pointer);
    const strip = picture.strip?.rows[at];
    rows.push(strip && pointer ? { ...row, dist: Math.abs(strip.y - pointer.y) } : row);
  });
  return rows;
}

function rowOf(picture: Picture, line: Line, i: number, asked: number, pointer: PixelPosition | null): Row {
  const point = pointOf(line, i, asked);
  const dist = distance(picture, point.x, point.smoothed ?? point.y, asked, pointer);
  return { run: line.series.run, tag: line.series.tag, ...point, dist };
}

/** The point of a row. */
export type RowPoint = Omit<Row, "run" | "tag" | "dist">;

/** The point of a series nearest to a step, without a picture; null without points. */
export function pointAtX(series: ChartSeries, x: number, smoothing: number): RowPoint | null {
  const joining = { logX: false, logY: false, tangled: false, paused: false };
  const line = prepareLine(series, { ...joining, smoothing });
  const i = pointAt(line, x);
  return i < 0 ? null : pointOf(line, i, x);
}

function pointOf(line: Line, i: number, asked: number): RowPoint {
  const { series } = line;
  const x = series.x[i]!;
  const smoothed = smoothedAt(line, i);
  return {
    x,
    y: series.y[i]!,
    smoothed: smoothed?.y ?? null,
    smoothedX: smoothed?.x ?? null,
    aux: series.aux?.[i] ?? null,
    lo: series.lo?.[i] ?? null,
    hi: series.hi?.[i] ?? null,
    members: series.members?.[i] ?? null,
    nonfinite: series.nonfinite?.[i] ?? 0,
    exact: x === asked,
  };
}

function smoothedAt({ main, ghost, series }: Line, i: number): { x: number; y: number } | null {
  if (ghost === null) return null;
  const at = main.x === series.x ? i : nearestIndex(main.x, series.x[i]!);
  return at < 0 ? null : { x: main.x[at]!, y: main.y[at]! };
}

function distance(
  picture: Picture,
  x: number,
  y: number,
  asked: number,
  pointer: PixelPosition | null,
): number {
  if (pointer === null) return Math.abs(picture.x.map(x) - picture.x.map(asked));
  const dx = picture.x.map(x) - pointer.x;
  const py = picture.y.map(y);
  return Number.isFinite(py)
    ? Math.hypot(dx, py - pointer.y)
    : Math.hypot(dx, edgeDistance(picture, y, pointer));
}

/** Values that the axis cannot show are marked at an edge. */
function edgeDistance({ plot }: Picture, y: number, pointer: PixelPosition): number {
  return pointer.y - (y === Number.POSITIVE_INFINITY ? plot.top : plot.bottom);
}

/** The line nearest to a position, within reach; null if there is none. */
export function nearestLine(picture: Picture, spot: PixelPosition, reach = REACH): Line | null {
  if (picture.strip !== null) return rowUnder(picture.strip, spot.y)?.line ?? null;
  let best: Line | null = null;
  let least = reach;
  // Checking the pointer's own x first leaves little to check on either side.
  for (const width of [0, 1]) {
    for (const line of picture.lines) {
      const apart = distanceToPath(picture, line.main, spot, width * least);
      if (apart > least || (apart === least && best !== null)) continue;
      least = apart;
      best = line;
    }
  }
  return best;
}

/** Distance in pixels from a position to a path; points further than `reach` in x are ignored. */
function distanceToPath({ x, y }: Picture, path: Path, spot: PixelPosition, reach: number): number {
  const min = x.invert(spot.x - reach);
  const max = x.invert(spot.x + reach);
  let least = Number.POSITIVE_INFINITY;
  for (let s = 0; s < path.segments.length; s += 2) {
    const [from, to] = clipSegment(path, s, [min, max], true);
    if (from >= to) continue;
    let ax = x.map(path.x[from]!) - spot.x;
    let ay = y.map(path.y[from]!) - spot.y;
    least = Math.min(least, Math.hypot(ax, ay));
    for (let i = from + 1; i < to; i++) {
      const bx = x.map(path.x[i]!) - spot.x;
      const by = y.map(path.y[i]!) - spot.y;
      // Both ends are above, or both below, by more than the best distance so far: skip.
      if (!(Math.min(ay, by) > least || Math.max(ay, by) < -least)) {
        least = Math.min(least, fromOrigin(ax, ay, bx, by));
      }
      ax = bx;
      ay = by;
    }
  }
  return least;
}

/** Distance from the origin to the segment from a to b. */
function fromOrigin(ax: number, ay: number, bx: number, by: number): number {
  const dx = bx - ax;
  const dy = by - ay;
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / length));
  const nearX = ax + t * dx;
  const nearY = ay + t * dy;
  return Math.sqrt(nearX * nearX + nearY * nearY);
}

/**
 * x of a real point for a pointer: on the line that it is near, otherwise the nearest in x of all. If the line has
 * several points in the pixel column, the one drawn nearest, so that the top of a spike can be selected. Null without
 * points.
 */
export function snap(picture: Picture, spot: PixelPosition, line: Line | null): number | null {
  const target = line && pointUnder(picture, spot, line);
  return target === null ? nearestX(picture, picture.x.invert(spot.x)) : line!.series.x[target.i]!;
}

/** The point of a line under a pointer near it; null without points. */
export function pointUnder(picture: Picture, spot: PixelPosition, line: Line): PointerTarget | null {
  const i = nearestDrawn(picture, line, spot) ?? pointAt(line, picture.x.invert(spot.x));
  return i < 0 ? null : { line, i };
}

/** The raw point of a line drawn nearest to a position, among those in its pixel column and its neighbours. */
function nearestDrawn(picture: Picture, line: Line, spot: PixelPosition): number | null {
  const { main, series, nonFinite } = line;
  const { x: across, y: down } = picture;
  const [min, max] = [across.invert(spot.x - COLUMN_REACH), across.invert(spot.x + COLUMN_REACH)];
  let best: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  const look = (x: number, away: number, i: number) => {
    const apart = Math.hypot(across.map(x) - spot.x, away);
    // The later of equals, as without a pointer.
    if (apart > least) return;
    least = apart;
    best = i;
  };
  for (let s = 0; s < main.segments.length; s += 2) {
    const [from, to] = clipSegment(main, s, [min, max], false);
    for (let i = from; i < to; i++) {
      const x = main.x[i]!;
      if (main.sorted || (x >= min && x <= max)) look(x, down.map(main.y[i]!) - spot.y, i);
    }
  }
  // Smoothed points of a downsampled series do not match its raw points by index.
  if (best !== null && main.x !== series.x) best = pointAt(line, main.x[best]!);
  // Non-finite points are drawn as well, as marks at the edge.
  for (const i of nonFinite) {
    const x = series.x[i]!;
    if (x >= min && x <= max) look(x, edgeDistance(picture, series.y[i]!, spot), i);
  }
  return best;
}

/** x of the real point nearest to `x`, over all lines. */
export function nearestX(picture: Picture, x: number): number | null {
  let best: number | null = null;
  for (const line of picture.lines) {
    const i = pointAt(line, x);
    if (i < 0) continue;
    const found = line.series.x[i]!;
    if (best === null || Math.abs(found - x) < Math.abs(best - x)) best = found;
  }
  return best;
}

/** x of the next real point to the right (1) or left (−1) of `x`, over all lines; null at the end. */
export function stepX(picture: Picture, x: number, direction: 1 | -1): number | null {
  let best: number | null = null;
  for (const { series } of picture.lines) {
    for (const value of series.x) {
      const ahead = direction === 1 ? value > x : value < x;
      const closer = best === null || (direction === 1 ? value < best : value > best);
      if (ahead && closer) best = value;
    }
  }
  return best;
}
