/** The way from one picture to the next: boxes move from where they were, new ones grow out of the box around them. */

import type { Picture } from "./picture";
import { between, type Rect } from "./shapes";

/** Where each box of the next picture starts. */
export function startsOf(before: Picture, after: Picture): readonly Rect[] {
  const starts: Rect[] = [];
  for (const { box, rect, parent, content } of after.boxes) {
    const old = before.places.get(box.path) ?? (content === "" ? undefined : before.places.get(content));
    const around = after.boxes[parent];
    if (old !== undefined) starts.push(before.boxes[old]!.rect);
    else if (around) starts.push(within(rect, around.rect, starts[parent]!));
    else starts.push(rect);
  }
  return starts;
}

/** The rectangle that has in `now` the place that `rect` has in `around`. */
function within(rect: Rect, around: Rect, now: Rect): Rect {
  const across = now.width / around.width;
  const down = now.height / around.height;
  return {
    x: now.x + (rect.x - around.x) * across,
    y: now.y + (rect.y - around.y) * down,
    width: rect.width * across,
    height: rect.height * down,
  };
}

/** The picture `part` of the way. Lines are at their places from the start. */
export function pictureBetween(starts: readonly Rect[], after: Picture, part: number): Picture {
  if (part >= 1) return after;
  const boxes = after.boxes.map((placed, at) => ({
    ...placed,
    rect: between(starts[at]!, placed.rect, part),
  }));
  return { ...after, boxes };
}

/** Fast at first, then gently to its end. */
export function eased(part: number): number {
  return 1 - (1 - part) ** 3;
}
