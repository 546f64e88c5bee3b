/** Smooth lines through points: cubic curves that leave and arrive upright and never swing past a point. */

import type { Point, Rect } from "./shapes";

/** x and y of the start, then of two control points and the end of each part. */
export type Curve = readonly number[];

const PULL = 0.5;

export function curveThrough(points: readonly Point[]): Curve {
  const passed = points.filter((point, at) => at === 0 || !same(point, points[at - 1]!));
  const first = passed[0];
  if (!first) return [];
  const slopes = passed.map((_, at) => slopeAt(passed, at));
  const curve = [first.x, first.y];
  for (let at = 1; at < passed.length; at++) {
    const [from, to] = [passed[at - 1]!, passed[at]!];
    const reach = PULL * (to.y - from.y);
    curve.push(
      from.x + slopes[at - 1]! * reach,
      from.y + reach,
      to.x - slopes[at]! * reach,
      to.y - reach,
      to.x,
      to.y,
    );
  }
  return curve;
}

function same(a: Point, b: Point): boolean {
  return Math.abs(a.x - b.x) < 0.01 && Math.abs(a.y - b.y) < 0.01;
}

/** dx/dy at a point: upright at the ends and where the line turns. */
function slopeAt(points: readonly Point[], at: number): number {
  const [before, here, after] = [points[at - 1], points[at]!, points[at + 1]];
  if (!before || !after) return 0;
  const [up, down] = [here.y - before.y, after.y - here.y];
  if (up * down <= 0) return 0;
  const [a, b] = [(here.x - before.x) / up, (after.x - here.x) / down];
  if (a * b <= 0) return 0;
  const mean = (a * down + b * up) / (up + down);
  return Math.sign(mean) * Math.min(Math.abs(mean), 2 * Math.abs(a), 2 * Math.abs(b));
}

/** A curve from the box above to the box below, or from side to side; for lines that no layout has. */
export function curveBetween(from: Rect, to: Rect): Curve {
  const above = from.y + from.height <= to.y;
  const below = to.y + to.height <= from.y;
  if (above || below) {
    const start = { x: from.x + from.width / 2, y: above ? from.y + from.height : from.y };
    const end = { x: to.x + to.width / 2, y: above ? to.y : to.y + to.height };
    return curveThrough([start, end]);
  }
  const right = from.x < to.x;
  const [x0, y0] = [right ? from.x + from.width : from.x, from.y + from.height / 2];
  const [x1, y1] = [right ? to.x : to.x + to.width, to.y + to.height / 2];
  const middle = (x0 + x1) / 2;
  return [x0, y0, middle, y0, middle, y1, x1, y1];
}

/** Where a loop leaves and arrives, from the lower right corner of its box, and how far it swings out. */
const LOOP = { left: 14, up: 7, swing: 20 } as const;

/** A loop around the lower right corner of a box: the line of a box to itself. */
export function loopAt({ x, y, width, height }: Rect): Curve {
  const [right, bottom] = [x + width, y + height];
  const start = right - Math.min(LOOP.left, width / 4);
  const end = bottom - Math.min(LOOP.up, height / 4);
  return [start, bottom, start, bottom + LOOP.swing, right + LOOP.swing, end, right, end];
}

const PIECES = 8;

/** Points along the curve. */
export function pointsOf(curve: Curve): Point[] {
  if (curve.length < 2) return [];
  const points: Point[] = [{ x: curve[0]!, y: curve[1]! }];
  for (let at = 2; at + 5 < curve.length; at += 6) {
    const xs = [curve[at - 2]!, curve[at]!, curve[at + 2]!, curve[at + 4]!] as const;
    const ys = [curve[at - 1]!, curve[at + 1]!, curve[at + 3]!, curve[at + 5]!] as const;
    for (let piece = 1; piece <= PIECES; piece++) {
      points.push({ x: cubic(xs, piece / PIECES), y: cubic(ys, piece / PIECES) });
    }
  }
  return points;
}

/** The point `part` of the way along the first part of a curve. */
export function pointOn(curve: Curve, part: number): Point {
  const [x0, y0, x1, y1, x2, y2, x3, y3] = curve;
  return {
    x: cubic([x0!, x1!, x2!, x3!], part),
    y: cubic([y0!, y1!, y2!, y3!], part),
  };
}

function cubic([a, b, c, d]: readonly [number, number, number, number], t: number): number {
  const s = 1 - t;
  return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
}

export function distanceTo(curve: Curve, at: Point): number {
  const points = pointsOf(curve);
  let nearest = Number.POSITIVE_INFINITY;
  for (let next = 1; next < points.length; next++) {
    nearest = Math.min(nearest, distanceToLine(points[next - 1]!, points[next]!, at));
  }
  return nearest;
}

function distanceToLine(a: Point, b: Point, at: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((at.x - a.x) * dx + (at.y - a.y) * dy) / length;
  const part = Math.min(1, Math.max(0, along));
  return Math.hypot(at.x - a.x - part * dx, at.y - a.y - part * dy);
}

/** The direction in which the curve arrives, of length 1. */
export function arrivalOf(curve: Curve): Point {
  const at = curve.length;
  const [dx, dy] = [curve[at - 2]! - curve[at - 4]!, curve[at - 1]! - curve[at - 3]!];
  const length = Math.hypot(dx, dy);
  return length === 0 ? { x: 0, y: 1 } : { x: dx / length, y: dy / length };
}
