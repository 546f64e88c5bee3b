/** A series made ready to be drawn and pointed at: its line, the raw ghost behind it, and where they break. */

import { extent, type Range } from "./domain";
import type { ChartSeries } from "./model";
import { smooth } from "./smooth";
import { clipSpan, findLaps, findStrands, type Joining, type Spans } from "./strand";

/** Points joined by a line, with the places where it is cut. */
export interface Path {
  x: Float64Array;
  y: Float64Array | Float32Array;
  strands: Spans;
  /** x never goes back within a strand: it can be searched. */
  sorted: boolean;
}

/** What a line is prepared for. */
export interface Shape extends Joining {
  smoothing: number;
}

export interface Line {
  series: ChartSeries;
  /** The line itself: smoothed if there is smoothing, raw otherwise. */
  main: Path;
  /** The raw points behind a smoothed line. */
  ghost: Path | null;
  /** Of a group of which some runs are lost: the line where all have numbers, and where not all have. */
  split: { whole: Path; partial: Path } | null;
  /** Indices of raw points of a group at which more of its runs have no number than before. */
  losses: Uint32Array;
  /** Stretches of the raw points (`series.x`) over which x does not go back. */
  laps: Spans;
  /** Indices of raw points that are NaN or infinite. */
  nonFinite: Uint32Array;
  /** Indices of raw points that a log axis, of x or of y, cannot show. */
  notPositive: Uint32Array;
  /** What the raw points that can be shown span in x. */
  span: Range | null;
}

/** The points of a group come smoothed: they are the mean of smoothed lines. */
export function isGroup({ members }: ChartSeries): boolean {
  return members != null;
}

/** The part of strand `s` of a path that may lie inside [min, max]; all of a strand whose x goes back and forth. */
export function clipStrand(
  { x, strands, sorted }: Path,
  s: number,
  [min, max]: readonly [number, number],
  neighbours: boolean,
): [number, number] {
  const from = strands[s]!;
  const to = strands[s + 1]!;
  return sorted ? clipSpan(x, from, to, min, max, neighbours) : [from, to];
}

/** Lines of the series last asked for. Preparing one takes a pass over its points, so it is done once. */
export class LineCache {
  #lines = new WeakMap<ChartSeries, { shape: Shape; line: Line }>();

  get(series: ChartSeries, shape: Shape): Line {
    const known = this.#lines.get(series);
    if (known !== undefined && sameShape(known.shape, shape)) return known.line;
    const line = prepareLine(series, shape);
    this.#lines.set(series, { shape, line });
    return line;
  }
}

function sameShape(a: Shape, b: Shape): boolean {
  return (
    a.smoothing === b.smoothing &&
    a.logX === b.logX &&
    a.logY === b.logY &&
    a.tangled === b.tangled &&
    a.paused === b.paused
  );
}

export function prepareLine(series: ChartSeries, shape: Shape): Line {
  const { x, y } = series;
  const laps = findLaps(x);
  // A tag that only grows, as an epoch does, is as good as a step.
  const joining = { ...shape, tangled: shape.tangled && laps.length > 2 };
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
    laps,
    nonFinite: indicesWhere(y, (value, i) => value - value !== 0 && !(logX && x[i]! <= 0)),
    notPositive: logX || logY ? indicesWhere(y, (_, i) => hidden(i)) : new Uint32Array(),
    span: logX ? extent(x.filter((value) => value > 0)) : extent(x),
  };
}

/** The smoothed points sent, or our own when every point is here and they were sent for another weight. */
function smoothedPath(series: ChartSeries, smoothing: number, joining: Joining): Path | null {
  const { x, y, sx, sy, restarts } = series;
  const fits = series.weight === undefined ? series.x.length < series.held : series.weight === smoothing;
  if (sy !== null && (fits || !series.raw)) return pathOf(sx ?? x, sy, joining, restarts);
  return series.raw ? pathOf(x, smooth(y, smoothing), joining, restarts) : null;
}

function pathOf(
  x: Float64Array,
  y: Float64Array | Float32Array,
  joining: Joining,
  restarts: Float64Array,
): Path {
  return { x, y, strands: findStrands(x, y, joining, restarts), sorted: !joining.tangled };
}

const NO_PLACES = new Uint32Array();

/** Cuts the strands of a path where the runs it speaks for become fewer, or more again; the parts meet in a point. */
function splitPath(path: Path, lost: Uint32Array): { whole: Path; partial: Path } {
  const spans = { whole: [] as number[], partial: [] as number[] };
  for (let s = 0; s < path.strands.length; s += 2) {
    let from = path.strands[s]!;
    const last = path.strands[s + 1]! - 1;
    // A piece of line belongs to the part of its right end; a strand of one point to its own.
    for (let i = Math.min(from + 1, last); i <= last; i++) {
      const isPartial = lost[i]! > 0;
      if (i < last && lost[i + 1]! > 0 === isPartial) continue;
      spans[isPartial ? "partial" : "whole"].push(from, i + 1);
      from = i;
    }
  }
  const part = (strands: readonly number[]) => ({ ...path, strands: Uint32Array.from(strands) });
  return { whole: part(spans.whole), partial: part(spans.partial) };
}

function indicesWhere(values: ArrayLike<number>, holds: (value: number, i: number) => boolean): Uint32Array {
  const found: number[] = [];
  for (let i = 0; i < values.length; i++) if (holds(values[i]!, i)) found.push(i);
  return Uint32Array.from(found);
}
