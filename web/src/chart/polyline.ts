/** The pixels a line passes through: a path cut to what is in view, thinned where it is denser than the screen. */

import { thinColumns } from "./decimate";
import { clipStrand, type Path } from "./line";
import type { Picture } from "./picture";
import type { Scale } from "./scale";

/** Thin only what has more points a column than thinning would leave: below it, drawing all is as quick. */
const DENSE = 4;
/** Pixels beyond which a canvas may lose precision; nobody sees that far. */
const FAR = 20_000;

/** Unbroken lines in pixels, in a buffer that grows and is used again. */
export class Polyline {
  /** x, y, x, y … */
  points = new Float64Array(4096);
  /** Points in use. */
  length = 0;
  /** Where each line begins, as an index of points. */
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

export interface Traced {
  /** Points of the path inside the range in view that the line passes through. */
  shown: number;
  /** Pixels x, y, x, y … of points that stand alone. */
  dots: number[];
}

/** Replaces what is in `out` by the part of a path that is in view. */
export function tracePath(picture: Picture, path: Path, pixelRatio: number, out: Polyline): Traced {
  const { strands, x } = path;
  const [min, max] = picture.x.domain;
  const dots: number[] = [];
  let shown = 0;
  out.clear();
  for (let s = 0; s < strands.length; s += 2) {
    const start = strands[s]!;
    const end = strands[s + 1]!;
    const [from, to] = clipStrand(path, s, [min, max], true);
    if (end - start > 1) {
      if (to - from > 1) shown += traceStrand(picture, path, from, to, pixelRatio, out);
    } else if (x[start]! >= min && x[start]! <= max) {
      dots.push(picture.x.map(x[start]!), near(picture.y.map(path.y[start]!)));
      shown += 1;
    }
  }
  return { shown, dots };
}

let kept = new Uint32Array(4096);

/**
 * One unbroken line through the points [from, to); returns how many of them are shown. Plain loops, one after the other:
 * the first pictures of a page are drawn before the browser has compiled this, and calls are what costs then.
 */
function traceStrand(
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
  if (dense && kept.length < to - from) kept = new Uint32Array(2 * (to - from));
  const n = dense ? thinPath(x, path, from, to, columns) : to - from;
  out.begin(n);
  const { points } = out;
  const first = 2 * out.length;
  let shown = 0;
  for (let k = 0, at = first; k < n; k++) {
    const i = dense ? kept[k]! : from + k;
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

/** Points too far to the side are brought near along their line, those too far above or below straight. */
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

/** Thins by columns of the screen, which on a log axis are no columns of x. */
function thinPath(scale: Scale, { x, y }: Path, from: number, to: number, columns: number): number {
  const [min, max] = scale.domain;
  if (scale.kind !== "log") return thinColumns(x, y, from, to, min, columns / (max - min), kept);
  if (pixels.length < to) pixels = new Float64Array(2 * to);
  for (let i = from; i < to; i++) pixels[i] = scale.map(x[i]!);
  const [left, right] = scale.range;
  return thinColumns(pixels, y, from, to, left, columns / (right - left), kept);
}

function near(pixel: number): number {
  return Math.max(-FAR, Math.min(FAR, pixel));
}
