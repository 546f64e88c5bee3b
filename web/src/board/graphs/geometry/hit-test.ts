/** What is at a point of the picture. */

import { distanceTo } from "./curve";
import type { Picture, PlacedBox } from "./picture";
import { contains, type Point, type Rect } from "./shapes";

/** Width of the sign that opens or closes a box, and height of the heading of an open one. */
export const SIGN_SIZE = 24;
export const HEAD_HEIGHT = 30;

/** The innermost box; -1 for none. */
export function boxAt({ boxes }: Picture, at: Point): number {
  return boxes.findLastIndex(({ rect }) => contains(rect, at));
}

/** The nearest line within a distance; -1 for none. */
export function wireAt({ wires }: Picture, at: Point, within: number): number {
  let [nearest, found] = [within, -1];
  for (const [index, { curve, bounds }] of wires.entries()) {
    if (curve.length === 0 || !contains(bounds, at, within)) continue;
    const distance = distanceTo(curve, at);
    if (distance <= nearest) [nearest, found] = [distance, index];
  }
  return found;
}

/** Signs of a box that a click acts on. */
export type Sign = "toggle" | "previous" | "next";

/** Where the signs of a box are; those of an open box stand in its heading. */
export function signsOf({ box, rect, open, member }: PlacedBox): readonly { sign: Sign; rect: Rect }[] {
  if (!box.opens) return [];
  const height = open ? HEAD_HEIGHT : rect.height;
  const at = (place: number): Rect => ({
    x: rect.x + rect.width - place * SIGN_SIZE,
    y: rect.y,
    width: SIGN_SIZE,
    height,
  });
  if (member === null) return [{ sign: "toggle", rect: at(1) }];
  return [
    { sign: "toggle", rect: at(1) },
    { sign: "next", rect: at(2) },
    { sign: "previous", rect: at(3) },
  ];
}

export function signAt(placed: PlacedBox, at: Point): Sign | null {
  return signsOf(placed).find(({ rect }) => contains(rect, at))?.sign ?? null;
}
