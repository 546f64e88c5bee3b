/** Lines dressed for the chart. The same points in the same dress are the same object: charts cache by it. */

import type { ChartSeries } from "../../chart";
import { difference } from "../../state/difference";
import type { Points } from "../../state/feed";
import { colorOf, dashOf, type RunLook } from "../../state/looks";
import { dashLengths, type Shade } from "../../state/slot";
import type { Line } from "./sources";

export type PlotRun = RunLook;

export interface Look {
  color: string;
  dash: number;
}

const DASHES = 4;

/** Colour is the run; the dash is its own, or its tag's in a card of several. */
export function lookOf(run: PlotRun, shade: Shade, tagPlace: number | null = null): Look {
  return { color: colorOf(run, shade), dash: tagPlace === null ? dashOf(run) : tagPlace % DASHES };
}

export interface Dress {
  shade: Shade;
  /** Tags of the card with their names, if there are several. */
  names: ReadonlyMap<string, string> | null;
  smoothing: number;
}

interface Dressed {
  base: Points | null;
  smoothing: number;
  series: ChartSeries;
}

export class Dresser {
  readonly #dressed = new WeakMap<Points, Dressed>();

  /** `base`: what the values are measured from; null shows them as they are. */
  dress({ tag, look, points }: Line, { shade, names, smoothing }: Dress, base: Points | null): ChartSeries {
    const place = names === null ? null : [...names.keys()].indexOf(tag);
    const { color, dash } = lookOf(look, shade, place);
    const label = names === null ? look.label : `${look.label} · ${names.get(tag)}`;
    const lengths = dashLengths(dash);
    const known = this.#dressed.get(points);
    const same = known?.base === base && (base === null || known.smoothing === smoothing);
    const was = same ? known.series : null;
    if (was?.color === color && was.label === label && was.dash === lengths) return was;
    const shown = base === null ? points : difference(points, base, smoothing);
    const series: ChartSeries = { ...shown, label, color, dash: lengths, ...(names && { tag }) };
    this.#dressed.set(points, { base, smoothing, series });
    return series;
  }
}
