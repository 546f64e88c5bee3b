/**
 * The pixels of a point: a disc, ring, square or diamond of some radius, as offsets with the coverage of each pixel.
 * Shapes distinguish categories that share a colour, as dashes do for lines. Pure.
 */

export const SHAPES = ["disc", "ring", "square", "diamond"] as const;
export type Shape = (typeof SHAPES)[number];

export interface Stamp {
  /** Distance of the farthest pixel from the middle. */
  reach: number;
  dx: Int8Array;
  dy: Int8Array;
  /** 1 to 256. */
  cover: Uint16Array;
}

/** Samples along one side of a pixel. */
const FINE = 4;
const WHOLE = 256;

/** Distance functions: 0 in the middle, 1 at the edge. */
const EDGES: Record<Shape, (x: number, y: number) => number> = {
  disc: (x, y) => Math.hypot(x, y),
  ring: (x, y) => Math.hypot(x, y),
  square: (x, y) => Math.max(Math.abs(x), Math.abs(y)) / 0.88,
  diamond: (x, y) => (Math.abs(x) + Math.abs(y)) / 1.25,
};
const HOLE = 0.55;

export function stampOf(shape: Shape, radius: number): Stamp {
  const reach = Math.ceil(radius * 1.3);
  const [dx, dy, cover]: [number[], number[], number[]] = [[], [], []];
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) {
      const part = covered(shape, radius, x, y);
      if (part === 0) continue;
      dx.push(x);
      dy.push(y);
      cover.push(part);
    }
  }
  return { reach, dx: Int8Array.from(dx), dy: Int8Array.from(dy), cover: Uint16Array.from(cover) };
}

function covered(shape: Shape, radius: number, x: number, y: number): number {
  const edge = EDGES[shape];
  let inside = 0;
  for (let row = 0; row < FINE; row++) {
    for (let column = 0; column < FINE; column++) {
      const across = (x + (column + 0.5) / FINE - 0.5) / radius;
      const down = (y + (row + 0.5) / FINE - 0.5) / radius;
      const far = edge(across, down);
      if (far <= 1 && (shape !== "ring" || far >= HOLE)) inside += 1;
    }
  }
  return Math.round((inside / FINE ** 2) * WHOLE);
}

/** The radius of points in CSS pixels: the fewer, the larger. */
export function radiusFor(count: number): number {
  if (count <= 500) return 4;
  if (count <= 5_000) return 3;
  if (count <= 30_000) return 2.25;
  return 1.6;
}
