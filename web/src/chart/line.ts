/** A series prepared for drawing and hit-testing: its line, the raw line behind it, and their segments. */

import { extent, type Range } from "./domain";
import type { ChartSeries } from "./model";
import { clipSpan, findMonotoneRuns, findSegments, type JoinRules, type Spans } from "./segments";
import { smooth } from "./smooth";

/** Points connected by a line, split into segments. */
export interface Path {
  x: Float64Array;
  y: Float64Array | Float32Array;
  segments: Spans;
  /** x does not decrease within a segment, so it can be searched. */
  sorted: boolean;
}

/** Options for preparing a line. */
export interface LineOptions extends JoinRules {
  smoothing: number;
}

export interface Line {
  series: ChartSeries;
  /** The line itself: smoothed if there is smoothing, raw otherwise. */
  main: Path;
  /** The raw points behind a smoothed line. */
  ghost: Path | null;
  /** For a group with non-finite runs: the parts of the line where all runs have numbers, and where not all have. */
  split: { whole: Path; partial: Path } | null;
  /** Indices of raw points of a group at which more runs are non-finite than before. */
  losses: Uint32Array;
  /** Ranges of the raw points (`series.x`) in which x does not go back. */
  monotoneRuns: Spans;
  /** Indices of raw points that are NaN or infinite. */
  nonFinite: Uint32Array;
  /** Indices of raw points that a log axis, of x or y, cannot show. */
  notPositive: Uint32Array;
  /** The range in x of the raw points that can be shown. */
  span: Range | null;
}

/** Points of a group arrive smoothed: they are the mean of smoothed lines. */
export function isGroup({ members }: ChartSeries): boolean {
  return members != null;
}

/** The part of segment `s` of a path that may be inside [min, max]; the whole segment if its x is not sorted. */
export function clipSegment(
  { x, segments, sorted }: Path,
  s: number,
  [min, max]: readonly [number, number],
  neighbours: boolean,
): [number, number] {
  const from = segments[s]!;
  const to = segments[s + 1]!;
  return sorted ? clipSpan(x, from, to, min, max, neighbours) : [from, to];
}

/** Caches the lines of the last series. Preparing a line is a pass over its points, so it is done once. */
export class LineCache {
  #lines = new WeakMap<ChartSeries, { shape: LineOptions; line: Line }>();

  get(series: ChartSeries, shape: LineOptions): Line {
    const known = this.#lines.get(series);
    if (known !== undefined && sameShape(known.shape, shape)) return known.line;
    const line = prepareLine(series, shape);
    this.#lines.set(series, { shape, line });
    return line;
  }
}

function sameShape(a: LineOptions, b: LineOptions): boolean {
  return (
    a.smoothing === b.smoothing &&
    a.logX === b.logX &&
    a.logY === b.logY &&
    a.tangled === b.tangled &&
    a.paused === b.paused
  );
}

export function prepareLine(series: ChartSeries, shape: LineOptions): Line {
  const { x, y } = series;
  const monotoneRuns = findMonotoneRuns(x);
  // A tag that only increases, such as an epoch, works like a step.
  const joining = { ...shape, tangled: shape.tangled && monotoneRuns.length > 2 };
  const raw = pathOf(x, y, joining, series.restarts);
  const smoothed =
    shape.smoothing > 0 && !isGroup(series) ? smoothedPath(series, shape.smoothing, joining) : null;
  const { logX, logY } = shape;
  const { nonfinite = null } = series;
  const hidden = (i: number) => (logX && x[i]! <= 0) || (logY && y[i]! <= 0 && y[i]! - y[i]! === 0);
  return {
    series,
    main: smoothed ?? raw,
    ghost: smoothed === null ? null : raw,
    split: nonfinite?.some((count) => count > 0) ? splitPath(raw, nonfinite) : null,
    losses: nonfinite ? indicesWhere(nonfinite, (count, i) => count > (nonfinite[i - 1] ?? 0)) : NO_PLACES,
    monotoneRuns,
    nonFinite: indicesWhere(y, (value, i) => value - value !== 0 && !(logX && x[i]! <= 0)),
    notPositive: logX || logY ? indicesWhere(y, (_, i) => hidden(i)) : new Uint32Array(),
    span: logX ? extent(x.filter((value) => value > 0)) : extent(x),
  };
}

/** The smoothed points from the server, or computed ones if all points are here and the weight is another. */
function smoothedPath(series: ChartSeries, smoothing: number, joining: JoinRules): Path | null {
  const { x, y, sx, sy, restarts } = series;
  const fits = series.weight === undefined ? series.x.length < series.held : series.weight === smoothing;
  if (sy !== null && (fits || !series.raw)) return pathOf(sx ?? x, sy, joining, restarts);
  return series.raw ? pathOf(x, smooth(y, smoothing), joining, restarts) : null;
}

function pathOf(
  x: Float64Array,
  y: Float64Array | Float32Array,
  joining: JoinRules,
  restarts: Float64Array,
): Path {
  return { x, y, segments: findSegments(x, y, joining, restarts), sorted: !joining.tangled };
}

const NO_PLACES = new Uint32Array();

/** Splits the segments of a path where the number of finite runs changes; the parts share a point. */
function splitPath(path: Path, lost: Uint32Array): { whole: Path; partial: Path } {
  const spans = { whole: [] as number[], partial: [] as number[] };
  for (let s = 0; s < path.segments.length; s += 2) {
    let from = path.segments[s]!;
    const last = path.segments[s + 1]! - 1;
    // A piece of line belongs to the part of its right end, a segment of one point to its own.
    for (let i = Math.min(from + 1, last); i <= last; i++) {
      const isPartial = lost[i]! > 0;
      if (i < last && lost[i + 1]! > 0 === isPartial) continue;
      spans[isPartial ? "partial" : "whole"].push(from, i + 1);
      from = i;
    }
  }
  const part = (segments: readonly number[]) => ({ ...path, segments: Uint32Array.from(segments) });
  return { whole: part(spans.whole), partial: part(spans.partial) };
}

function indicesWhere(values: ArrayLike<number>, holds: (value: number, i: number) => boolean): Uint32Array {
  const found: number[] = [];
  for (let i = 0; i < values.length; i++) if (holds(values[i]!, i)) found.push(i);
  return Uint32Array.from(found);
}
