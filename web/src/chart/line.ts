/** A series made ready to be drawn and pointed at: its line, the raw ghost behind it, and where they break. */

import { extent, type Range } from "./domain";
import type { ChartSeries } from "./model";
import { smooth } from "./smooth";
import { findLaps, findStrands, type Spans } from "./strand";

/** Points joined by a line, with the places where it is cut. */
export interface Path {
  x: Float64Array;
  y: Float64Array | Float32Array;
  strands: Spans;
}

export interface Line {
  series: ChartSeries;
  /** The line itself: smoothed if there is smoothing, raw otherwise. */
  main: Path;
  /** The raw points behind a smoothed line. */
  ghost: Path | null;
  /** Stretches of the raw points (`series.x`) over which x does not go back. */
  laps: Spans;
  /** Indices of raw points that are NaN or infinite. */
  nonFinite: Uint32Array;
  /** Indices of raw points that a log axis cannot show; empty on other axes. */
  notPositive: Uint32Array;
  /** What the raw points span in x. */
  span: Range | null;
}

/** Lines of the series last asked for. Preparing one takes a pass over its points, so it is done once. */
export class LineCache {
  #lines = new WeakMap<ChartSeries, { smoothing: number; logY: boolean; line: Line }>();

  get(series: ChartSeries, smoothing: number, logY: boolean): Line {
    const known = this.#lines.get(series);
    if (known !== undefined && known.smoothing === smoothing && known.logY === logY) return known.line;
    const line = prepareLine(series, smoothing, logY);
    this.#lines.set(series, { smoothing, logY, line });
    return line;
  }
}

export function prepareLine(series: ChartSeries, smoothing: number, logY: boolean): Line {
  const { x, y } = series;
  const raw: Path = { x, y, strands: findStrands(x, y, logY) };
  const smoothed = smoothing > 0 ? smoothedPath(series, smoothing, logY) : null;
  return {
    series,
    main: smoothed ?? raw,
    ghost: smoothed === null ? null : raw,
    laps: findLaps(x),
    nonFinite: indicesWhere(y, (value) => value - value !== 0),
    notPositive: logY ? indicesWhere(y, (value) => value <= 0 && value - value === 0) : new Uint32Array(),
    span: extent(x),
  };
}

/** The smoothed points sent, or our own when every point is here and they were sent for another weight. */
function smoothedPath(series: ChartSeries, smoothing: number, logY: boolean): Path | null {
  const { x, y, sx, sy } = series;
  const fits = series.weight === undefined ? series.x.length < series.held : series.weight === smoothing;
  if (sy !== null && (fits || !series.raw)) return pathOf(sx ?? x, sy, logY);
  return series.raw ? pathOf(x, smooth(y, smoothing), logY) : null;
}

function pathOf(x: Float64Array, y: Float64Array | Float32Array, logY: boolean): Path {
  return { x, y, strands: findStrands(x, y, logY) };
}

function indicesWhere(values: ArrayLike<number>, holds: (value: number) => boolean): Uint32Array {
  const found: number[] = [];
  for (let i = 0; i < values.length; i++) if (holds(values[i]!)) found.push(i);
  return Uint32Array.from(found);
}
