/** Which part of the picture is in view. */

import type { Point, Rect, Size } from "./shapes";

/** The point in the middle of the view, and pixels per unit of the picture. */
export interface Camera extends Point {
  scale: number;
}

export const LEAST_SCALE = 0.02;
export const MOST_SCALE = 4;
/** Small graphs are not blown up. */
const MOST_FITTED = 1.25;
/** Smaller text cannot be read: of something taller the upper part is shown. What is wider is shown from side to side. */
const LEAST_FITTED = 0.64;

export interface Margins {
  top: number;
  side: number;
  bottom: number;
}

/** Shows a part of the picture. `whole` shows all of it even if it cannot be read then. */
export function fitCamera(part: Rect, view: Size, margins: Margins, whole = false): Camera {
  const width = Math.max(1, view.width - 2 * margins.side);
  const height = Math.max(1, view.height - margins.top - margins.bottom);
  const wide = Math.max(LEAST_SCALE, Math.min(width / Math.max(1, part.width), MOST_FITTED));
  const high = Math.max(whole ? LEAST_SCALE : LEAST_FITTED, height / Math.max(1, part.height));
  const scale = Math.min(wide, high);
  const tall = part.height * scale > height;
  const x = part.x + part.width / 2;
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

/** The camera `part` of the way; zooming looks even. */
export function cameraBetween(from: Camera, to: Camera, part: number): Camera {
  return {
    x: from.x + (to.x - from.x) * part,
    y: from.y + (to.y - from.y) * part,
    scale: from.scale * (to.scale / from.scale) ** part,
  };
}
