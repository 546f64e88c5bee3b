/** The small map of the whole picture: its size, and places on it. */

import type { Point, Rect, Size } from "./shapes";

export interface Minimap {
  size: Size;
  /** Pixels of the map per unit of the picture. */
  scale: number;
}

const MOST: Size = { width: 150, height: 130 };
/** Of each side of a small view. */
const MOST_PART = 0.25;

/** The largest map in a view. */
export function mapSize({ width, height }: Size): Size {
  return {
    width: Math.min(MOST.width, width * MOST_PART),
    height: Math.min(MOST.height, height * MOST_PART),
  };
}

export function minimapOf(picture: Size, most: Size): Minimap {
  const scale = Math.min(most.width / Math.max(1, picture.width), most.height / Math.max(1, picture.height));
  return { size: { width: picture.width * scale, height: picture.height * scale }, scale };
}

/** The frame of what is in view, within the map. */
export function frameOf({ size, scale }: Minimap, seen: Rect): Rect {
  const left = Math.max(0, seen.x * scale);
  const top = Math.max(0, seen.y * scale);
  const right = Math.min(size.width, (seen.x + seen.width) * scale);
  const bottom = Math.min(size.height, (seen.y + seen.height) * scale);
  return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}

/** The point of the picture at a point of the map. */
export function pointOnMap({ scale }: Minimap, at: Point): Point {
  return { x: at.x / scale, y: at.y / scale };
}

/** The map helps if a part of the picture is out of view. */
export function isMapUseful(picture: Size, seen: Rect): boolean {
  const inside =
    seen.x <= 0 &&
    seen.y <= 0 &&
    seen.x + seen.width >= picture.width &&
    seen.y + seen.height >= picture.height;
  return !inside && picture.width > 0;
}
