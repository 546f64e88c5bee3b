/** Points of a run dressed for the chart. The same points in the same look are the same object: charts cache by it. */

import type { ChartSeries } from "../../chart";
import type { Points } from "../../state/feed";
import type { RunLook } from "../../state/lists";
import { dashLengths, type Shade, slotColor, slotDash } from "../../state/slot";

export type PlotRun = RunLook;

export interface Look {
  color: string;
  dash: number;
}

export function lookOf(run: PlotRun, shade: Shade): Look {
  return { color: slotColor(run.slot, shade), dash: slotDash(run.slot) };
}

export class Dresser {
  readonly #dressed = new WeakMap<Points, ChartSeries>();

  dress(points: Points, run: PlotRun, shade: Shade): ChartSeries {
    const { color } = lookOf(run, shade);
    const known = this.#dressed.get(points);
    if (known?.color === color && known.label === run.name) return known;
    const dressed: ChartSeries = { ...points, label: run.name, color, dash: dashLengths(run.slot) };
    this.#dressed.set(points, dressed);
    return dressed;
  }
}
