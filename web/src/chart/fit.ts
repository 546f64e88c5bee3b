/** Finds the range of y for the view, and reports what it leaves out. */

import { groupDigits } from "../lib/number";
import { countOutside, extent, neededExtent, padded, type Range, relaxedExtent, union } from "./domain";
import { clipSegment, type Line, type Path } from "./line";
import { type ChartModel, type ChartSeries, type ChartWords, ENGLISH } from "./model";

/** Small texts in the corners of the plot: what is not visible, and how much. */
export interface RangeNotes {
  above: string | null;
  below: string | null;
  notPositive: string | null;
}

/** x of the points above and below the range, a few per pixel column. */
export interface ClippedPoints {
  line: Line;
  above: readonly number[];
  below: readonly number[];
}

export interface YFit {
  range: Range;
  notes: RangeNotes;
  clipped: readonly ClippedPoints[];
}

/** The range that the user set, otherwise one that contains the data. Counts are of real points in view. */
export function fitY(model: ChartModel, lines: readonly Line[], xRange: Range): YFit {
  const words = model.words ?? ENGLISH;
  const notes: RangeNotes = {
    above: null,
    below: null,
    notPositive: notPositiveNote(model, lines, xRange, words),
  };
  const chosen = model.yRange;
  if (chosen !== null && !(model.logY && chosen[0] <= 0)) return { range: chosen, notes, clipped: [] };
  // Outliers of a zoomed view are shown: that is why the user zoomed.
  if (!model.ignoreOutliers || model.xRange !== null)
    return { range: padded(fullExtent(lines, xRange, model.logY), model.logY), notes, clipped: [] };
  const paths = lines.flatMap(({ main, ghost, series }) =>
    ghost === null ? [main, ...edgesOf(main, series, model.logY)] : [main, ghost],
  );
  const weighed = model.logX ? gatherColumns(paths, xRange) || gather(paths, xRange) : gather(paths, xRange);
  const range = withWholeLines(relaxedExtent(scratch, weighed, model.logY), lines, xRange, model.logY);
  const { above, below } = countOutside(scratch, range, gather(lines.map(rawPath), xRange));
  const whole = lines.every(({ series }) => series.raw);
  const note = (count: number, word: (points: string) => string) =>
    count === 0 ? null : word(groupDigits(String(count)) + (whole ? "" : "+"));
  return {
    range,
    notes: { ...notes, above: note(above, words.above), below: note(below, words.below) },
    clipped: above + below === 0 ? [] : lines.flatMap((line) => clippedOf(line, xRange, range) ?? []),
  };
}

/** The raw points, even if the line is smoothed. */
function rawPath({ main, ghost }: Line): Path {
  return ghost ?? main;
}

/** Extends the range if it would cut off a line on both sides. */
function withWholeLines(calm: Range | null, lines: readonly Line[], xRange: Range, log: boolean): Range {
  const range = padded(calm, log);
  const needed = lines.reduce<Range | null>(
    (all, line) => union(all, neededExtent(scratch, gather([rawPath(line)], xRange), range)),
    null,
  );
  return needed === null ? range : padded(union(calm, needed), log);
}

/** Marks closer than this share of the view are merged. */
const MARKS = 400;

function clippedOf(line: Line, [min, max]: Range, range: Range): ClippedPoints | null {
  const { x, y } = rawPath(line);
  const [above, below]: [number[], number[]] = [[], []];
  const apart = (max - min) / MARKS;
  for (let i = 0; i < x.length; i++) {
    const value = y[i]!;
    if (!(value > range[1] || value < range[0]) || value - value !== 0 || x[i]! < min || x[i]! > max)
      continue;
    const marks = value > range[1] ? above : below;
    if (!(Math.abs(x[i]! - marks.at(-1)!) < apart)) marks.push(x[i]!);
  }
  return above.length + below.length === 0 ? null : { line, above, below };
}

/** The range in y of all lines and the raw points behind them. */
function fullExtent(lines: readonly Line[], xRange: Range, log: boolean): Range | null {
  const paths = lines.flatMap(({ main, ghost, series }) => {
    return ghost === null ? [main, ...edgesOf(main, series, log)] : [main, ghost];
  });
  const count = gather(paths, xRange); // first: it may change what `scratch` is
  return extent(scratch, count);
}

/** The edges of a band as paths. Values that are not positive are left out on a log axis. */
function edgesOf(main: Path, { lo, hi }: ChartSeries, log: boolean): Path[] {
  if (!lo || !hi) return [];
  return [lo, hi].map((y) => ({
    ...main,
    y: log ? y.map((value, i) => (value > 0 ? value : main.y[i]!)) : y,
  }));
}

/** A note about points of the view that log axes cannot show; without a zoom in x, of all points. */
function notPositiveNote(
  model: ChartModel,
  lines: readonly Line[],
  [min, max]: Range,
  words: ChartWords,
): string | null {
  const least = model.logX && !(model.xRange && model.xRange[0] > 0) ? Number.NEGATIVE_INFINITY : min;
  let count = 0;
  for (const { notPositive, series } of lines) {
    for (const i of notPositive) if (series.x[i]! >= least && series.x[i]! <= max) count++;
  }
  return count === 0 ? null : words.notPositive(groupDigits(String(count)));
}

/** Reused buffer: a view may have half a million values, sixty times a second. */
let scratch = new Float64Array(1024);

/**
 * Copies the drawable values inside a range of x to `scratch` and returns their number. If there are none, uses the
 * points on either side, whose line crosses the view.
 */
function gather(paths: readonly Path[], xRange: Range): number {
  return gatherSpans(paths, xRange, false) || gatherSpans(paths, xRange, true);
}

function gatherSpans(paths: readonly Path[], range: Range, neighbours: boolean): number {
  const room = paths.reduce((sum, { y }) => sum + y.length, 0);
  if (scratch.length < room) scratch = new Float64Array(room * 2);
  let n = 0;
  for (const path of paths) {
    for (let s = 0; s < path.segments.length; s += 2) {
      const [from, to] = clipSegment(path, s, range, neighbours);
      if (path.sorted) {
        scratch.set(path.y.subarray(from, to), n);
        n += to - from;
      } else n = gatherTangled(path, from, to, range, n);
    }
  }
  return n;
}

/** Number of columns, enough to weight the parts of a picture by their width. */
const COLUMNS = 240;

/**
 * Collects the lowest and highest value of each column of a log x axis. Most points are in its last part: weighted by
 * number, all earlier points would be outliers.
 */
function gatherColumns(paths: readonly Path[], range: Range): number {
  const perLog = COLUMNS / Math.log(range[1] / range[0]);
  const room = paths.reduce((sum, { y, segments }) => sum + 2 * y.length + COLUMNS * segments.length, 0);
  if (scratch.length < room) scratch = new Float64Array(room * 2);
  let n = 0;
  for (const path of paths) {
    for (let s = 0; s < path.segments.length; s += 2) {
      const [from, to] = clipSegment(path, s, range, false);
      let column = Number.NaN;
      for (let i = from; i < to; i++) {
        const value = path.y[i]!;
        const at = Math.floor(Math.log(path.x[i]! / range[0]) * perLog);
        if (!path.sorted && (path.x[i]! < range[0] || path.x[i]! > range[1])) continue;
        if (at !== column) {
          // The line also crosses the columns between two points.
          for (let k = column + 1; path.sorted && k < at; k++) {
            scratch[n] = scratch[n - 2]!;
            scratch[n + 1] = scratch[n - 1]!;
            n += 2;
          }
          column = at;
          scratch[n++] = value;
          scratch[n++] = value;
        } else if (value < scratch[n - 2]!) scratch[n - 2] = value;
        else if (value > scratch[n - 1]!) scratch[n - 1] = value;
      }
    }
  }
  return n;
}

function gatherTangled({ x, y }: Path, from: number, to: number, [min, max]: Range, count: number): number {
  let n = count;
  for (let i = from; i < to; i++) if (x[i]! >= min && x[i]! <= max) scratch[n++] = y[i]!;
  return n;
}
