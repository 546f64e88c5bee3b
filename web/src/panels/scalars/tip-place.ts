/**
 * Where the tip stands: inside the window, clear of the pointer, on the side with more of the window free, and off
 * the card under the pointer as far as that does not take it away from the pointer. Pure.
 */

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

/** Left and right edge of the card under the pointer. */
export interface Span {
  left: number;
  right: number;
}

export interface Box extends Span {
  top: number;
  bottom: number;
}

const POINTER_GAP_PX = 24;
const EDGE_PX = 8;
/** Further from the pointer than this the eye loses the way back. */
const FAR_PX = 112;

/** The upper left corner, in whole pixels. `card` null: nothing to keep clear of. */
export function placeTip(tip: Size, pointer: Point, card: Span | null, window: Size): Point {
  const side = pointer.x <= window.width / 2 ? "right" : "left";
  const near = side === "right" ? pointer.x + POINTER_GAP_PX : pointer.x - POINTER_GAP_PX - tip.width;
  // Where this side has no room the other has less.
  if (inside(near, tip.width, window.width) !== near) return placeOver(tip, pointer, window);
  const clear = card ? clearOf(card, near, side, tip.width) : near;
  const lowest = window.height - EDGE_PX - tip.height;
  return {
    x: Math.round(inside(clear, tip.width, window.width)),
    y: Math.round(Math.max(EDGE_PX, Math.min(pointer.y - tip.height / 3, lowest))),
  };
}

/** A window too narrow for either side, as a phone's: above the finger, or below it where there is no room. */
function placeOver(tip: Size, pointer: Point, window: Size): Point {
  const above = pointer.y - POINTER_GAP_PX - tip.height;
  const lowest = window.height - EDGE_PX - tip.height;
  const y = above >= EDGE_PX ? above : Math.max(EDGE_PX, Math.min(pointer.y + POINTER_GAP_PX, lowest));
  return { x: Math.round(inside(pointer.x - tip.width / 2, tip.width, window.width)), y: Math.round(y) };
}

/** Beside the card if that is not far, else as far towards its edge as the eye follows. */
function clearOf(card: Span, near: number, side: "left" | "right", width: number): number {
  const far = FAR_PX - POINTER_GAP_PX;
  if (side === "right") return Math.max(near, Math.min(card.right + EDGE_PX, near + far));
  return Math.min(near, Math.max(card.left - EDGE_PX - width, near - far));
}

/** Whole, as far as the window is wide enough; its beginning first. */
function inside(left: number, width: number, windowWidth: number): number {
  return Math.max(EDGE_PX, Math.min(left, windowWidth - EDGE_PX - width));
}

/** How far a place is from a box; 0 inside it. */
export function distanceTo({ left, right, top, bottom }: Box, { x, y }: Point): number {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}
