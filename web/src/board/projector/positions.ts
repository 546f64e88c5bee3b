/**
 * Decodes the positions of a layout: counts, the range of each dimension, then 16-bit positions within the ranges,
 * row by row. Pure.
 */

export interface Positions {
  count: number;
  /** 2 or 3: how many of the three coordinates are used. */
  dims: number;
  /** x, y, z of each point; z is 0 in two dimensions. */
  xyz: Float32Array;
  /** For each of x, y, z. */
  least: readonly number[];
  most: readonly number[];
  /** Distance from the middle of the ranges to the farthest point. */
  radius: number;
}

/** The body is truncated, or of another version. */
export class PositionsError extends Error {
  override name = "PositionsError";
}

const HEADER_BYTES = 8;
const STEPS = 65_535;

export function decodePositions(body: ArrayBuffer): Positions {
  if (body.byteLength < HEADER_BYTES) throw new PositionsError("the positions have no header");
  const view = new DataView(body);
  const count = view.getUint32(0, true);
  const dims = view.getUint32(4, true);
  if (dims < 1 || dims > 3) throw new PositionsError(`positions of ${dims} dimensions`);
  const begin = HEADER_BYTES + 8 * dims;
  const need = begin + 2 * dims * count;
  if (body.byteLength !== need) {
    throw new PositionsError(`positions of ${body.byteLength} bytes, where ${need} were told`);
  }
  const ranges = Array.from({ length: 3 }, (_, axis): [number, number] =>
    axis < dims
      ? [view.getFloat32(HEADER_BYTES + 8 * axis, true), view.getFloat32(HEADER_BYTES + 8 * axis + 4, true)]
      : [0, 0],
  );
  const places = new Uint16Array(body, begin, dims * count);
  const xyz = new Float32Array(3 * count);
  for (let axis = 0; axis < dims; axis++) {
    const [from, to] = ranges[axis]!;
    const unit = (to - from) / STEPS;
    for (let row = 0; row < count; row++) xyz[3 * row + axis] = from + places[dims * row + axis]! * unit;
  }
  const least = ranges.map(([from]) => from);
  const most = ranges.map(([, to]) => to);
  return { count, dims, xyz, least, most, radius: radiusOf(xyz, least, most) };
}

function radiusOf(xyz: Float32Array, least: readonly number[], most: readonly number[]): number {
  const [x = 0, y = 0, z = 0] = least.map((from, axis) => (from + most[axis]!) / 2);
  let farthest = 0;
  for (let at = 0; at < xyz.length; at += 3) {
    farthest = Math.max(farthest, (xyz[at]! - x) ** 2 + (xyz[at + 1]! - y) ** 2 + (xyz[at + 2]! - z) ** 2);
  }
  return Math.sqrt(farthest);
}

/** Interpolates between two layouts of the same points; `part` 1 is the second. */
export function interpolate(from: Float32Array, to: Float32Array, part: number, out: Float32Array): void {
  for (let at = 0; at < out.length; at++) out[at] = from[at]! + (to[at]! - from[at]!) * part;
}
