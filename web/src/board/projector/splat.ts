/**
 * Draws points into an image on the CPU: a hundred thousand take a few milliseconds, without GPU. Background points
 * first, selected ones last, and in three dimensions far before near. Pure.
 */

import type { ScreenPositions } from "./camera";
import { radiusFor, SHAPES, type Stamp, stampOf } from "./stamps";

/** States of a row. */
export const PLAIN = 0;
export const CHOSEN = 1;
export const BACK = 2;
export const HIDDEN = 3;

export interface PointStyle {
  /** The palette index of each row. */
  codes: Uint8Array;
  /** The state of each row: PLAIN, CHOSEN, BACK or HIDDEN. */
  states: Uint8Array;
  palette: Palette;
}

/** Colours as 0xRRGGBB. */
export interface Palette {
  colors: readonly number[];
  /** The shape of each colour, one of four. */
  shapes: readonly number[];
  paper: number;
}

export interface Image {
  width: number;
  height: number;
  /** Little-endian RGBA. */
  pixels: Uint32Array;
}

/** Number of levels from near to far. */
const LEVELS = 8;
/** The opacity at the far end, and in the background. */
const FAR_PART = 0.6;
const BACK_PART = 0.22;
/** Size factor of a selected point. */
const CHOSEN_SIZE = 1.35;
const NEAR_SIZE = 1.35;
const FAR_SIZE = 0.75;

/** Draws everything visible; returns the number of points in the image. `ratio`: device pixels per CSS pixel. */
export function splat(
  image: Image,
  places: ScreenPositions,
  pointStyle: PointStyle,
  solid: boolean,
  ratio: number,
): number {
  const { states } = pointStyle;
  image.pixels.fill(rgba(pointStyle.palette.paper));
  const brush = brushOf(pointStyle.palette, radiusFor(places.count) * ratio, solid);
  const order = solid ? farFirst(places.far) : null;
  let drawn = 0;
  for (const state of [BACK, PLAIN, CHOSEN]) {
    for (let at = 0; at < places.count; at++) {
      const row = order === null ? shuffledIndex(at, places.count) : order[at]!;
      if (states[row] !== state) continue;
      const x = Math.round(places.x[row]! * ratio);
      const y = Math.round(places.y[row]! * ratio);
      const level = solid ? levelOf(places.far[row]!) : 0;
      const code = pointStyle.codes[row]!;
      const stamp =
        brush.stamps[(state === CHOSEN ? LEVELS : 0) + level]![pointStyle.palette.shapes[code] ?? 0]!;
      const color = brush.colors[state === BACK ? LEVELS + level : level]![code] ?? 0;
      if (stampPoint(image, stamp, x, y, color)) drawn += 1;
    }
  }
  return drawn;
}

interface Brush {
  /** By level, then again for selected points; for each shape. */
  stamps: readonly (readonly Stamp[])[];
  /** By level, then again for background points; for each code. */
  colors: readonly Uint32Array[];
}

let lastBrush: { palette: Palette; radius: number; solid: boolean; brush: Brush } | null = null;

function brushOf(palette: Palette, radius: number, solid: boolean): Brush {
  if (lastBrush?.palette === palette && lastBrush.radius === radius && lastBrush.solid === solid)
    return lastBrush.brush;
  const levels = Array.from({ length: LEVELS }, (_, level) => level / (LEVELS - 1));
  const size = (far: number) => radius * (solid ? NEAR_SIZE + (FAR_SIZE - NEAR_SIZE) * far : 1);
  const all = (size: number) => SHAPES.map((shape) => stampOf(shape, size));
  const mixed = (part: number) =>
    Uint32Array.from(palette.colors, (color) => rgba(mix(palette.paper, color, part)));
  const clear = (far: number) => (solid ? 1 - (1 - FAR_PART) * far : 1);
  const brush = {
    stamps: [1, CHOSEN_SIZE].flatMap((more) => levels.map((far) => all(size(far) * more))),
    colors: [1, BACK_PART].flatMap((part) => levels.map((far) => mixed(clear(far) * part))),
  };
  lastBrush = { palette, radius, solid, brush };
  return brush;
}

/** Colours the pixels at one point; returns false if it is outside the image. */
function stampPoint(
  { width, height, pixels }: Image,
  stamp: Stamp,
  x: number,
  y: number,
  color: number,
): boolean {
  const { reach, dx, dy, cover } = stamp;
  if (!(x >= -reach && y >= -reach && x < width + reach && y < height + reach)) return false;
  const whole = x >= reach && y >= reach && x < width - reach && y < height - reach;
  for (let at = 0; at < cover.length; at++) {
    const column = x + dx[at]!;
    const line = y + dy[at]!;
    if (!whole && (column < 0 || line < 0 || column >= width || line >= height)) continue;
    const pixel = line * width + column;
    const part = cover[at]!;
    pixels[pixel] = part === 256 ? color : blend(pixels[pixel]!, color, part);
  }
  return true;
}

/** Blends `part` of 256 of a colour over another, both little-endian RGBA and opaque. */
function blend(under: number, over: number, part: number): number {
  const rest = 256 - part;
  const redBlue = ((under & 0xff00ff) * rest + (over & 0xff00ff) * part) >>> 8;
  const green = ((under & 0x00ff00) * rest + (over & 0x00ff00) * part) >>> 8;
  return (0xff000000 | (redBlue & 0xff00ff) | (green & 0x00ff00)) >>> 0;
}

/** 0xRRGGBB as an opaque pixel. */
export function rgba(color: number): number {
  return (0xff000000 | ((color & 0xff) << 16) | (color & 0xff00) | (color >>> 16)) >>> 0;
}

export function mix(from: number, to: number, part: number): number {
  const channel = (shift: number) => {
    const [a, b] = [(from >>> shift) & 0xff, (to >>> shift) & 0xff];
    return Math.round(a + (b - a) * part) << shift;
  };
  return channel(16) | channel(8) | channel(0);
}

function levelOf(far: number): number {
  return Math.min(LEVELS - 1, Math.max(0, Math.round(far * (LEVELS - 1))));
}

/** A prime larger than any number of rows, so that steps of it visit every row once. */
const STRIDE = 1_000_003;

/** Draws rows in a fixed pseudo-random order, so that no category covers others because it comes later. */
export function shuffledIndex(at: number, count: number): number {
  return (at * STRIDE) % count;
}

const BUCKETS = 1024;

/** Rows from far to near, to a thousandth of the depth. */
export function farFirst(far: Float32Array): Uint32Array {
  const begins = new Uint32Array(BUCKETS + 1);
  const bucketOf = (row: number) => Math.min(BUCKETS - 1, Math.max(0, Math.floor((1 - far[row]!) * BUCKETS)));
  for (let row = 0; row < far.length; row++) begins[bucketOf(row) + 1]! += 1;
  for (let bucket = 0; bucket < BUCKETS; bucket++) begins[bucket + 1]! += begins[bucket]!;
  const order = new Uint32Array(far.length);
  for (let row = 0; row < far.length; row++) {
    const bucket = bucketOf(row);
    order[begins[bucket]!] = row;
    begins[bucket]! += 1;
  }
  return order;
}
