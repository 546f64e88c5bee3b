/** How true the picture of a card is: what it draws, what is held, and the data attributes that say so. */

import type { ChartStats } from "../../chart";
import type { Line } from "./sources";

export interface Figures {
  /** Points drawn, and points held, in the range in view. */
  drawn: number;
  held: number;
  /** Points are left out that only a zoom brings here; what several share a pixel column is no loss. */
  thinned: boolean;
}

export const NO_FIGURES: Figures = { drawn: 0, held: 0, thinned: false };

export function figuresOf(lines: readonly Line[], stats: ChartStats): Figures {
  const thinned = lines.some(({ points }) => !points.raw);
  return { drawn: stats.drawn, held: heldInside(lines, stats), thinned };
}

export function sameFigures(a: Figures, b: Figures): boolean {
  return a.drawn === b.drawn && a.held === b.held && a.thinned === b.thinned;
}

/** Points the server holds in the range in view; neighbours that only carry a line to the edge do not count. */
function heldInside(lines: readonly Line[], { xmin, xmax }: ChartStats): number {
  let held = 0;
  for (const { x, raw, inRange } of lines.map(({ points }) => points)) {
    let inside = 0;
    // Not `of`: through an iterator ten thousand points are felt.
    for (let i = 0; i < x.length; i++) if (x[i]! >= xmin && x[i]! <= xmax) inside++;
    held += raw ? inside : inRange - (x.length - inside);
  }
  return held;
}

/** For tests, and for whoever looks at the page with a script. */
export function tellFigures({ dataset }: HTMLElement, lines: readonly Line[], stats: ChartStats): void {
  dataset.drawn = String(stats.drawn);
  dataset.drawMs = stats.drawMs.toFixed(1);
  dataset.turnMs = stats.turnMs.toFixed(1);
  dataset.xmin = String(stats.xmin);
  dataset.xmax = String(stats.xmax);
  dataset.ymin = String(stats.ymin);
  dataset.ymax = String(stats.ymax);
  dataset.held = String(lines.reduce((sum, { points }) => sum + points.held, 0));
  dataset.restarts = String(lines.reduce((sum, { points }) => sum + points.restarts.length, 0));
}
