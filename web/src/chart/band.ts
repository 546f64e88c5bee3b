/** The band around the line of a group: from its lower to its upper edge, below all lines. */

import { clipStrand, type Line } from "./line";
import type { Pen } from "./pen";
import type { Picture } from "./picture";

/** Pixels outside the plot at which an edge that the axis cannot show is drawn: beyond the clip. */
const OUTSIDE = 40;

/** Fills the band of a line; nothing where there is none. `alpha` dims it further. */
export function drawBand(pen: Pen, picture: Picture, { main, series }: Line, alpha: number): void {
  const { lo, hi } = series;
  if (!lo || !hi) return;
  const { theme, x } = picture;
  pen.globalAlpha = alpha * theme.bandAlpha;
  pen.fillStyle = series.color;
  for (let s = 0; s < main.strands.length; s += 2) {
    const [from, to] = clipStrand(main, s, x.domain as [number, number], true);
    if (to - from < 2) continue;
    pen.beginPath();
    pen.moveTo(x.map(main.x[from]!), edge(picture, hi[from]!));
    for (let i = from + 1; i < to; i++) pen.lineTo(x.map(main.x[i]!), edge(picture, hi[i]!));
    for (let i = to - 1; i >= from; i--) pen.lineTo(x.map(main.x[i]!), edge(picture, lo[i]!));
    pen.closePath();
    pen.fill();
  }
}

/** Pixel of an edge, held near the plot: a log axis has no place for what is not positive. */
function edge({ plot, y }: Picture, value: number): number {
  const at = y.map(value);
  if (Number.isNaN(at)) return plot.bottom + OUTSIDE;
  return Math.max(plot.top - OUTSIDE, Math.min(plot.bottom + OUTSIDE, at));
}
