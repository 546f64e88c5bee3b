/** Bands whose edges are tags of their own: the line of a value takes its lower and upper edge from two others. */

import type { ChartSeries } from "../chart";

export interface Margin {
  value: string;
  lower: string;
  upper: string;
}

/** A line, and the tag it tells of. */
export interface Told {
  tag: string;
  series: ChartSeries;
}

interface Made {
  lower: ChartSeries | undefined;
  upper: ChartSeries | undefined;
  series: ChartSeries;
}

const made = new WeakMap<ChartSeries, Made>();

/** The lines of the values with their bands; a run that lacks an edge has its line alone. Cached: charts cache by it. */
export function banded(lines: readonly Told[], margins: readonly Margin[]): ChartSeries[] {
  const byName = new Map(lines.map(({ tag, series }) => [`${series.run} ${tag}`, series]));
  return margins.flatMap((margin) =>
    lines.flatMap(({ tag, series }) => {
      if (tag !== margin.value) return [];
      const lower = byName.get(`${series.run} ${margin.lower}`);
      const upper = byName.get(`${series.run} ${margin.upper}`);
      const known = made.get(series);
      if (known && known.lower === lower && known.upper === upper) return [known.series];
      const fresh = lower && upper ? withBand(series, lower, upper) : series;
      made.set(series, { lower, upper, series: fresh });
      return [fresh];
    }),
  );
}

function withBand(series: ChartSeries, lower: ChartSeries, upper: ChartSeries): ChartSeries {
  return { ...series, members: null, lo: along(series, lower), hi: along(series, upper) };
}

/** The values of an edge at the places of a line, joined linearly; where the edge has none, the line itself. */
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
