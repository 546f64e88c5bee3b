/** Which part of the picture is in view. */

import { centerOf, type Point, type Rect, type Size } from "./shapes";

/** The point in the middle of the view, and pixels per unit of the picture. */
export interface Camera extends Point {
  scale: number;
}

export const LEAST_SCALE = 0.02;
export const MOST_SCALE = 4;
/** Small graphs are not blown up. */
const MOST_FITTED = 1.25;
/** What would be smaller cannot be read: only a part of it is shown, the upper one, around the start of its flow. */
const LEAST_WHOLE = 0.55;
/** The scale of a part. */
const PART_SCALE = 0.64;

export interface Margins {
  top: number;
  side: number;
  bottom: number;
}

/**
 * Shows a part of the picture. `whole` shows all of it even if it cannot be read then; otherwise `start` is the x that stays
 * in view if not everything does.
 */
export function fitCamera(
  part: Rect,
  view: Size,
  margins: Margins,
  { whole = false, start = centerOf(part).x }: { whole?: boolean; start?: number } = {},
): Camera {
  const width = Math.max(1, view.width - 2 * margins.side);
  const height = Math.max(1, view.height - margins.top - margins.bottom);
  const readable = (scale: number) => (whole || scale >= LEAST_WHOLE ? scale : PART_SCALE);
  const wide = readable(width / Math.max(1, part.width));
  const high = readable(height / Math.max(1, part.height));
  const scale = Math.max(LEAST_SCALE, Math.min(wide, high, MOST_FITTED));
  const room = Math.max(0, part.width - width / scale) / 2;
  const middle = part.x + part.width / 2;
  const x = Math.min(middle + room, Math.max(middle - room, start));
  const tall = part.height * scale > height;
  const down = (margins.top - margins.bottom) / 2 / scale;
  const y = tall ? part.y + (view.height / 2 - margins.top) / scale : part.y + part.height / 2 - down;
  return { x, y, scale };
}

export function toScreen(camera: Camera, view: Size, { x, y }: Point): Point {
  return {
    x: (x - camera.x) * camera.scale + view.width / 2,
    y: (y - camera.y) * camera.scale + view.height / 2,
  };
}

export function toPicture(camera: Camera, view: Size, { x, y }: Point): Point {
  return {
    x: (x - view.width / 2) / camera.scale + camera.x,
    y: (y - view.height / 2) / camera.scale + camera.y,
  };
}

/** The part of the picture in view. */
export function viewOf(camera: Camera, view: Size): Rect {
  const [width, height] = [view.width / camera.scale, view.height / camera.scale];
  return { x: camera.x - width / 2, y: camera.y - height / 2, width, height };
}

/** Zooms around a point of the view, which stays where it is. */
export function zoomCamera(camera: Camera, factor: number, at: Point, view: Size): Camera {
  const scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, camera.scale * factor));
  const fixed = toPicture(camera, view, at);
  return {
    x: fixed.x - (at.x - view.width / 2) / scale,
    y: fixed.y - (at.y - view.height / 2) / scale,
    scale,
  };
}

/** Moves the picture by pixels, but not out of sight. */
export function moveCamera(camera: Camera, dx: number, dy: number, picture: Size): Camera {
  return {
    x: Math.min(picture.width, Math.max(0, camera.x - dx / camera.scale)),
    y: Math.min(picture.height, Math.max(0, camera.y - dy / camera.scale)),
    scale: camera.scale,
  };
}

/** Moves only as far as needed to bring a part into view, with a margin in pixels. */
export function revealCamera(camera: Camera, part: Rect, view: Size, margin: number): Camera {
  const seen = viewOf(camera, view);
  const gap = margin / camera.scale;
  const along = (start: number, length: number, from: number, room: number) => {
    if (length + 2 * gap > room) return start + length / 2 - (from + room / 2);
    return Math.min(0, start - gap - from) + Math.max(0, start + length + gap - (from + room));
  };
  return {
    ...camera,
    x: camera.x + along(part.x, part.width, seen.x, seen.width),
    y: camera.y + along(part.y, part.height, seen.y, seen.height),
  };
}

/** Looks at a part: stays if it is in view with a margin in pixels, otherwise has it in the middle. */
export function lookAt(camera: Camera, part: Rect, view: Size, margin: number): Camera {
  const { x, y } = revealCamera(camera, part, view, margin);
  return x === camera.x && y === camera.y ? camera : { ...camera, ...centerOf(part) };
}

/** The camera `part` of the way; zooming looks even. */
export function cameraBetween(from: Camera, to: Camera, part: number): Camera {
  return {
    x: from.x + (to.x - from.x) * part,
    y: from.y + (to.y - from.y) * part,
    scale: from.scale * (to.scale / from.scale) ** part,
  };
}
