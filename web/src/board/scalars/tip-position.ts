/**
 * Positions the tooltip: inside the window, clear of the pointer, on the side with more room, and beside the card
 * under the pointer unless that is too far away. Pure.
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
/** Beyond this distance from the pointer the tooltip is hard to associate with it. */
const FAR_PX = 112;

/** The top left corner, in whole pixels. `card` null: nothing to avoid. */
export function positionTip(tip: Size, pointer: Point, card: Span | null, window: Size): Point {
  const side = pointer.x <= window.width / 2 ? "right" : "left";
  const near = side === "right" ? pointer.x + POINTER_GAP_PX : pointer.x - POINTER_GAP_PX - tip.width;
  // If this side has no room, the other has less.
  if (inside(near, tip.width, window.width) !== near) return positionAbove(tip, pointer, window);
  const clear = card ? clearOf(card, near, side, tip.width) : near;
  const lowest = window.height - EDGE_PX - tip.height;
  return {
    x: Math.round(inside(clear, tip.width, window.width)),
    y: Math.round(Math.max(EDGE_PX, Math.min(pointer.y - tip.height / 3, lowest))),
  };
}

/** In a window too narrow for either side, such as a phone's: above the finger, or below it if there is no room. */
function positionAbove(tip: Size, pointer: Point, window: Size): Point {
  const above = pointer.y - POINTER_GAP_PX - tip.height;
  const lowest = window.height - EDGE_PX - tip.height;
  const y = above >= EDGE_PX ? above : Math.max(EDGE_PX, Math.min(pointer.y + POINTER_GAP_PX, lowest));
  return { x: Math.round(inside(pointer.x - tip.width / 2, tip.width, window.width)), y: Math.round(y) };
}

/** Beside the card if that is near enough, otherwise as far towards its edge as allowed. */
function clearOf(card: Span, near: number, side: "left" | "right", width: number): number {
  const far = FAR_PX - POINTER_GAP_PX;
  if (side === "right") return Math.max(near, Math.min(card.right + EDGE_PX, near + far));
  return Math.min(near, Math.max(card.left - EDGE_PX - width, near - far));
}

/** Completely inside the window if possible; its left edge has priority. */
function inside(left: number, width: number, windowWidth: number): number {
  return Math.max(EDGE_PX, Math.min(left, windowWidth - EDGE_PX - width));
}

/** The distance of a position from a box; 0 inside it. */
export function distanceTo({ left, right, top, bottom }: Box, { x, y }: Point): number {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}
