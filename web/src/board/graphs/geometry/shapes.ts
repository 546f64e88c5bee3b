/** Points, sizes and rectangles of the picture. */

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

/** `x` and `y` are its left and upper edges. */
export interface Rect extends Point, Size {}

export function centerOf({ x, y, width, height }: Rect): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

export function shifted<Shape extends Point>(shape: Shape, dx: number, dy: number): Shape {
  return { ...shape, x: shape.x + dx, y: shape.y + dy };
}

export function contains({ x, y, width, height }: Rect, at: Point, margin = 0): boolean {
  return (
    at.x >= x - margin && at.x <= x + width + margin && at.y >= y - margin && at.y <= y + height + margin
  );
}

export function overlaps(a: Rect, b: Rect): boolean {
  return a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height;
}

/** The smallest rectangle around all of them. */
export function boundsOf(rects: readonly Rect[]): Rect {
  if (rects.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const x = Math.min(...rects.map((rect) => rect.x));
  const y = Math.min(...rects.map((rect) => rect.y));
  const right = Math.max(...rects.map((rect) => rect.x + rect.width));
  const bottom = Math.max(...rects.map((rect) => rect.y + rect.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** The rectangle `part` of the way from one to the other. */
export function between(from: Rect, to: Rect, part: number): Rect {
  const mix = (a: number, b: number) => a + (b - a) * part;
  return {
    x: mix(from.x, to.x),
    y: mix(from.y, to.y),
    width: mix(from.width, to.width),
    height: mix(from.height, to.height),
  };
}
