/** Ranges after a gesture: selected by a box, moved, zoomed in. */

import type { Axis, Zoom } from "./model";
import type { Box, Picture } from "./picture";
import type { Scale } from "./scale";

type Pair = [number, number];

/** The range of a box; a band does not change y. */
export function zoomOfBox({ plot, x, y }: Picture, box: Box, band: boolean): Zoom {
  const across = (at: number) => x.invert(Math.max(plot.left, Math.min(plot.right, at)));
  const down = (at: number) => y.invert(Math.max(plot.top, Math.min(plot.bottom, at)));
  return {
    x: ordered(across(box.left), across(box.right)),
    y: band ? null : ordered(down(box.top), down(box.bottom)),
  };
}

/** The range after moving by pixels. y moves only if it was set: otherwise it follows the data. */
export function zoomOfPan({ x, y }: Picture, dx: number, dy: number, yChosen: boolean): Zoom {
  return { x: moved(x, dx), y: yChosen ? moved(y, dy) : null };
}

/** The range with `factor` times as much around a position; null if it would be smaller than numbers can express. */
export function zoomOfFactor(
  { x, y }: Picture,
  factor: number,
  at: { x: number; y: number },
  yChosen: boolean,
  axis: Axis,
): Zoom | null {
  const range = grown(x, factor, at.x);
  if (range[1] - range[0] < finest(range, axis)) return null;
  return { x: range, y: yChosen ? grown(y, factor, at.y) : null };
}

function moved(scale: Scale, pixels: number): Pair {
  const [a, b] = scale.range;
  return ordered(scale.invert(a - pixels), scale.invert(b - pixels));
}

function grown(scale: Scale, factor: number, around: number): Pair {
  const [a, b] = scale.range;
  const end = (at: number) => scale.invert(around + (at - around) * factor);
  return ordered(end(a), end(b));
}

function finest([min, max]: Pair, axis: Axis): number {
  const digits = Math.max(Math.abs(min), Math.abs(max)) * 1e-12;
  return Math.max(digits, axis === "step" ? 0.01 : 1e-5);
}

function ordered(a: number, b: number): Pair {
  return a <= b ? [a, b] : [b, a];
}
