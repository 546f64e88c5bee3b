/** Where to look in one picture to see what is in view of another one. */

import type { Camera } from "./camera";
import type { Picture } from "./picture";
import type { Rect } from "./shapes";

/**
 * The camera for `to` that shows the boxes which both pictures have where `camera` shows them of `from`. The nearer they
 * are to the middle, the more they count, so that the view does not jump from one to the next. Boxes are found by
 * `counterpart`, the path in `to` of a path in `from`.
 */
export function alignedCamera(
  from: Picture,
  to: Picture,
  camera: Camera,
  counterpart: (path: string) => string,
): Camera {
  let [weights, x, y] = [0, 0, 0];
  for (const { box, rect, open } of from.boxes) {
    const other = to.boxes[to.places.get(counterpart(box.path)) ?? -1];
    if (open || !other || other.open) continue;
    const [here, there] = [middleOf(rect), middleOf(other.rect)];
    const weight = 1 / (1 + (here.x - camera.x) ** 2 + (here.y - camera.y) ** 2) ** 2;
    weights += weight;
    x += weight * (there.x - here.x);
    y += weight * (there.y - here.y);
  }
  if (weights === 0) {
    return {
      x: (camera.x * to.size.width) / Math.max(1, from.size.width),
      y: (camera.y * to.size.height) / Math.max(1, from.size.height),
      scale: camera.scale,
    };
  }
  return { x: camera.x + x / weights, y: camera.y + y / weights, scale: camera.scale };
}

function middleOf({ x, y, width, height }: Rect): { x: number; y: number } {
  return { x: x + width / 2, y: y + height / 2 };
}
