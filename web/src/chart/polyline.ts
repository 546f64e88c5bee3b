/** Converts a path to pixels: clipped to the view, and downsampled if it is denser than the screen. */

import { downsampleColumns } from "./downsample";
import { clipSegment, type Path } from "./line";
import type { Picture } from "./picture";
import type { Scale } from "./scale";

/** Downsample only above this number of points per column: below it, drawing all points is as fast. */
const DENSE = 4;
/** Coordinates beyond this many pixels, which are never visible, may lose precision in a canvas. */
const FAR = 20_000;

/** Unbroken lines in pixels, in a reused buffer. */
export class Polyline {
  /** x, y, x, y … */
  points = new Float64Array(4096);
  /** Number of points in use. */
  length = 0;
  /** The index of the first point of each line. */
  readonly starts: number[] = [];

  clear(): void {
    this.length = 0;
    this.starts.length = 0;
  }

  begin(room: number): void {
    this.starts.push(this.length);
    const needed = 2 * (this.length + room);
    if (this.points.length >= needed) return;
    const grown = new Float64Array(2 * needed);
    grown.set(this.points);
    this.points = grown;
  }

  add(x: number, y: number): void {
    this.points[2 * this.length] = x;
    this.points[2 * this.length + 1] = y;
    this.length += 1;
  }
}

export interface VisibleMarks {
  /** Number of points in view that the line passes through. */
  shown: number;
  /** Pixels x, y, x, y … of single points, and of the last of points at the same x, whose line may have no length. */
  dots: number[];
}

/** Replaces the contents of `out` by the part of a path in view. */
export function tracePath(picture: Picture, path: Path, pixelRatio: number, out: Polyline): VisibleMarks {
  const { segments, x } = path;
  const [min, max] = picture.x.domain;
  const dots: number[] = [];
  let shown = 0;
  out.clear();
  for (let s = 0; s < segments.length; s += 2) {
    const start = segments[s]!;
    const end = segments[s + 1]!;
    const [from, to] = clipSegment(path, s, [min, max], true);
    if (end - start > 1) {
      if (to - from > 1) shown += traceSegment(picture, path, from, to, pixelRatio, out);
    } else if (x[start]! >= min && x[start]! <= max) shown += 1;
    if (isUpright(path, start, end) && x[start]! >= min && x[start]! <= max)
      dots.push(picture.x.map(x[start]!), near(picture.y.map(path.y[end - 1]!)));
  }
  return { shown, dots };
}

/** Whether all points of [start, end) are at the same x. */
function isUpright({ x, sorted }: Path, start: number, end: number): boolean {
  return end - start === 1 || (sorted && x[start] === x[end - 1]);
}

let indices = new Uint32Array(4096);

/**
 * Traces one unbroken line through the points [from, to) and returns how many are visible. Plain loops: the first
 * pictures are drawn before the browser has compiled this, when calls are expensive.
 */
function traceSegment(
  { plot, x, y }: Picture,
  path: Path,
  from: number,
  to: number,
  pixelRatio: number,
  out: Polyline,
): number {
  const columns = (plot.right - plot.left) * pixelRatio;
  const [min, max] = x.domain;
  const dense = path.sorted && to - from > DENSE * columns;
  if (dense && indices.length < to - from) indices = new Uint32Array(2 * (to - from));
  const n = dense ? downsamplePath(x, path, from, to, columns) : to - from;
  out.begin(n);
  const { points } = out;
  const first = 2 * out.length;
  let shown = 0;
  for (let k = 0, at = first; k < n; k++) {
    const i = dense ? indices[k]! : from + k;
    const value = path.x[i]!;
    if (value >= min && value <= max) shown++;
    points[at++] = value;
    points[at++] = path.y[i]!;
  }
  out.length += n;
  const end = 2 * out.length;
  x.mapAll(points, first, end, 2);
  y.mapAll(points, first + 1, end, 2);
  bringNear(points, first, end);
  return shown;
}

/** Brings far points closer: those far to the side along their line, those far above or below vertically. */
function bringNear(points: Float64Array, first: number, end: number): void {
  for (let at = first; at < end; at += 2) {
    const px = points[at]!;
    if (px < -FAR || px > FAR) {
      const beside = at === first ? at + 2 : at - 2;
      const bound = px < 0 ? -FAR : FAR;
      const slope = (points[beside + 1]! - points[at + 1]!) / (points[beside]! - px);
      points[at] = bound;
      points[at + 1]! += slope * (bound - px);
    }
  }
  for (let at = first + 1; at < end; at += 2) {
    if (points[at]! > FAR) points[at] = FAR;
    else if (points[at]! < -FAR) points[at] = -FAR;
  }
}

let pixels = new Float64Array(0);

/** Downsamples by columns of the screen, which are not columns of x on a log axis. */
function downsamplePath(scale: Scale, { x, y }: Path, from: number, to: number, columns: number): number {
  const [min, max] = scale.domain;
  if (scale.kind !== "log") return downsampleColumns(x, y, from, to, min, columns / (max - min), indices);
  if (pixels.length < to) pixels = new Float64Array(2 * to);
  for (let i = from; i < to; i++) pixels[i] = scale.map(x[i]!);
  const [left, right] = scale.range;
  return downsampleColumns(pixels, y, from, to, left, columns / (right - left), indices);
}

function near(pixel: number): number {
  return Math.max(-FAR, Math.min(FAR, pixel));
}
