/**
 * Draws the points of a mesh on the CPU, if the browser has no WebGL. Pure, except that it writes to the given
 * pixels.
 */

import type { Rgb } from "./mesh-scene";
import { type Fog, MAX_FOG } from "./render-input";

const SHADES = 32;

/** Pixels of one picture: RGBA, and the depth of each. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray;
  depth: Float32Array;
}

export interface SplatInput {
  /** x, y, z of each point. */
  points: Float32Array;
  colors: Uint8Array | null;
  /** Colour of points without their own. */
  color: Rgb;
  matrix: Float32Array;
  pointPx: number;
  fog: Fog | null;
}

export function emptyPixels(width: number, height: number): Pixels {
  return {
    width,
    height,
    data: new Uint8ClampedArray(width * height * 4),
    depth: new Float32Array(width * height).fill(Number.POSITIVE_INFINITY),
  };
}

/** Draws each point as a square; the nearest wins. */
export function splat(pixels: Pixels, { points, colors, color, matrix, pointPx, fog }: SplatInput): void {
  const { width, height, data, depth } = pixels;
  const size = Math.max(1, Math.round(pointPx));
  const before = (size - 1) >> 1;
  const shades = shadesOf(color, fog);
  const [a0, a1, a2, a3] = column(matrix, 0);
  const [b0, b1, b2, b3] = column(matrix, 4);
  const [c0, c1, c2, c3] = column(matrix, 8);
  const [d0, d1, d2, d3] = column(matrix, 12);
  for (let at = 0; at < points.length; at += 3) {
    const [x, y, z] = [points[at]!, points[at + 1]!, points[at + 2]!];
    const w = a3 * x + b3 * y + c3 * z + d3;
    if (w <= 0) continue;
    const far = (a2 * x + b2 * y + c2 * z + d2) / w;
    if (far < -1) continue;
    const left = Math.round((((a0 * x + b0 * y + c0 * z + d0) / w + 1) / 2) * width) - before;
    const top = Math.round(((1 - (a1 * x + b1 * y + c1 * z + d1) / w) / 2) * height) - before;
    const plain = fog ? shades[shadeAt(w, fog)]! : shades[0]!;
    const right = Math.min(width, left + size);
    const bottom = Math.min(height, top + size);
    for (let row = Math.max(0, top); row < bottom; row += 1) {
      for (let place = row * width + Math.max(0, left); place < row * width + right; place += 1) {
        if (far >= depth[place]!) continue;
        depth[place] = far;
        data[place * 4] = colors ? colors[at]! : plain[0];
        data[place * 4 + 1] = colors ? colors[at + 1]! : plain[1];
        data[place * 4 + 2] = colors ? colors[at + 2]! : plain[2];
        data[place * 4 + 3] = 255;
      }
    }
  }
}

/** The colour at each level of fog; one level without fog. */
function shadesOf(color: Rgb, fog: Fog | null): readonly Rgb[] {
  return Array.from({ length: fog ? SHADES : 1 }, (_, at) => {
    const share = (MAX_FOG * at) / (SHADES - 1);
    return color.map((part, axis) =>
      Math.round(255 * (part + (fog ? (fog.paper[axis]! - part) * share : 0))),
    ) as unknown as Rgb;
  });
}

function shadeAt(away: number, { from }: Fog): number {
  return Math.round(Math.min(1, Math.max(0, (away - from) / 2)) * (SHADES - 1));
}

function column(matrix: Float32Array, at: number): [number, number, number, number] {
  return [matrix[at]!, matrix[at + 1]!, matrix[at + 2]!, matrix[at + 3]!];
}
