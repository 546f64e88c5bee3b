/** Points of a run dressed for the chart. The same points in the same look are the same object: charts cache by it. */

import type { ChartSeries } from "../../chart";
import type { Points } from "../../state/feed";
import { colorOf, dashOf, type RunLook } from "../../state/looks";
import { dashLengths, type Shade } from "../../state/slot";

export type PlotRun = RunLook;

export interface Look {
  color: string;
  dash: number;
}

export function lookOf(run: PlotRun, shade: Shade): Look {
  return { color: colorOf(run, shade), dash: dashOf(run) };
}

export class Dresser {
  readonly #dressed = new WeakMap<Points, ChartSeries>();

  dress(points: Points, run: PlotRun, shade: Shade): ChartSeries {
    const { color, dash } = lookOf(run, shade);
    const known = this.#dressed.get(points);
    if (known?.color === color && known.label === run.label && known.dash === dashLengths(dash)) return known;
    const dressed: ChartSeries = { ...points, label: run.label, color, dash: dashLengths(dash) };
    this.#dressed.set(points, dressed);
    return dressed;
  }
}
