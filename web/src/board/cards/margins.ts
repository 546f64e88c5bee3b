/** Bands whose edges are other tags: the line of a value takes its lower and upper edge from two others. */

import type { ChartSeries } from "../../chart";

export interface Margin {
  value: string;
  lower: string;
  upper: string;
}

/** A line and its tag. */
export interface TaggedSeries {
  tag: string;
  series: ChartSeries;
}

interface CachedBand {
  lower: ChartSeries | undefined;
  upper: ChartSeries | undefined;
  series: ChartSeries;
}

const bandCache = new WeakMap<ChartSeries, CachedBand>();

/**
 * The lines with their bands; without one of the edges a run has its line alone. Cached, as charts cache by identity.
 */
export function withBands(lines: readonly TaggedSeries[], margins: readonly Margin[]): ChartSeries[] {
  const byName = new Map(lines.map(({ tag, series }) => [`${series.run} ${tag}`, series]));
  return margins.flatMap((margin) =>
    lines.flatMap(({ tag, series }) => {
      if (tag !== margin.value) return [];
      const lower = byName.get(`${series.run} ${margin.lower}`);
      const upper = byName.get(`${series.run} ${margin.upper}`);
      const known = bandCache.get(series);
      if (known && known.lower === lower && known.upper === upper) return [known.series];
      const fresh = lower && upper ? withBand(series, lower, upper) : series;
      bandCache.set(series, { lower, upper, series: fresh });
      return [fresh];
    }),
  );
}

function withBand(series: ChartSeries, lower: ChartSeries, upper: ChartSeries): ChartSeries {
  return { ...series, members: null, lo: along(series, lower), hi: along(series, upper) };
}

/** The values of an edge at the x of a line, interpolated linearly; the line itself where the edge has none. */
function along({ x, y }: ChartSeries, edge: ChartSeries): Float64Array {
  const points = [...edge.x]
    .map((at, place) => ({ at, value: edge.y[place]! }))
    .filter(({ value }) => Number.isFinite(value))
    .sort((a, b) => a.at - b.at);
  return Float64Array.from(x, (at, place) => valueAt(points, at) ?? y[place]!);
}

function valueAt(points: readonly { at: number; value: number }[], at: number): number | null {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle]!.at < at) low = middle + 1;
    else high = middle;
  }
  const after = points[low];
  if (after?.at === at) return after.value;
  const before = points[low - 1];
  if (!after || !before) return null;
  return before.value + ((at - before.at) / (after.at - before.at)) * (after.value - before.value);
}
