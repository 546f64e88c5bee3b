/** Draws the band around the line of a group, below all lines. */

import { clipSegment, type Line } from "./line";
import type { Pen } from "./pen";
import type { Picture } from "./picture";

/** Distance in pixels outside the plot at which edges are drawn that the axis cannot show: beyond the clip. */
const OUTSIDE = 40;

/** Fills the band of a line, if it has one. `alpha` dims it further. */
export function drawBand(pen: Pen, picture: Picture, { main, series }: Line, alpha: number): void {
  const { lo, hi } = series;
  if (!lo || !hi) return;
  const { theme, x } = picture;
  pen.globalAlpha = alpha * theme.bandAlpha;
  pen.fillStyle = series.color;
  for (let s = 0; s < main.segments.length; s += 2) {
    const [from, to] = clipSegment(main, s, x.domain as [number, number], true);
    if (to - from < 2) continue;
    pen.beginPath();
    pen.moveTo(x.map(main.x[from]!), edge(picture, hi[from]!));
    for (let i = from + 1; i < to; i++) pen.lineTo(x.map(main.x[i]!), edge(picture, hi[i]!));
    for (let i = to - 1; i >= from; i--) pen.lineTo(x.map(main.x[i]!), edge(picture, lo[i]!));
    pen.closePath();
    pen.fill();
  }
}

/** The pixel of an edge, clamped near the plot: a log axis cannot show values that are not positive. */
function edge({ plot, y }: Picture, value: number): number {
  const at = y.map(value);
  if (Number.isNaN(at)) return plot.bottom + OUTSIDE;
  return Math.max(plot.top - OUTSIDE, Math.min(plot.bottom + OUTSIDE, at));
}
