/** Builds chart series from points. Equal inputs give the same object, since charts cache by identity. */

import type { ChartSeries } from "../../chart";
import { difference } from "../cards/difference";
import type { Points } from "../data/feed";
import { colorOf, dashOf, type LineStyle } from "../runs/line-styles";
import { type ColorScheme, DASH_COUNT, dashLengths } from "../runs/slot";
import type { Line } from "./card-subscriptions";

export type PlotRun = LineStyle;

export interface LineStroke {
  color: string;
  dash: number;
}

/** The colour is the run's; the dash is its own, or its tag's in a card of several tags. */
export function lineStrokeOf(run: PlotRun, scheme: ColorScheme, tagPlace: number | null = null): LineStroke {
  return { color: colorOf(run, scheme), dash: tagPlace === null ? dashOf(run) : tagPlace % DASH_COUNT };
}

export interface SeriesOptions {
  scheme: ColorScheme;
  /** Tags of the card with their names, if there are several. */
  names: ReadonlyMap<string, string> | null;
  smoothing: number;
}

interface CachedSeries {
  base: Points | null;
  smoothing: number;
  series: ChartSeries;
}

export class SeriesBuilder {
  readonly #cache = new WeakMap<Points, CachedSeries>();

  /** `base`: the baseline for differences; null shows the values. */
  buildSeries(
    { tag, lineStyle, points }: Line,
    { scheme, names, smoothing }: SeriesOptions,
    base: Points | null,
  ): ChartSeries {
    const place = names === null ? null : [...names.keys()].indexOf(tag);
    const { color, dash } = lineStrokeOf(lineStyle, scheme, place);
    const label = names === null ? lineStyle.label : `${lineStyle.label} · ${names.get(tag)}`;
    const lengths = dashLengths(dash);
    const known = this.#cache.get(points);
    const same = known?.base === base && (base === null || known.smoothing === smoothing);
    const was = same ? known.series : null;
    if (was?.color === color && was.label === label && was.dash === lengths) return was;
    const shown = base === null ? points : difference(points, base, smoothing);
    const series: ChartSeries = { ...shown, label, color, dash: lengths, ...(names && { tag }) };
    this.#cache.set(points, { base, smoothing, series });
    return series;
  }
}
