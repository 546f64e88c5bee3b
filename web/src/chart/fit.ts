/** Finds the range of y for what is in view, and says what it leaves out. */

import { groupDigits } from "../base/number";
import { calmExtent, countOutside, extent, neededExtent, padded, type Range, union } from "./domain";
import { clipStrand, type Line, type Path } from "./line";
import { type ChartModel, type ChartSeries, type ChartWords, ENGLISH } from "./model";

/** Small texts in the corners of the plot: what is not to be seen, and how much of it. */
export interface Notes {
  above: string | null;
  below: string | null;
  notPositive: string | null;
}

/** x of the points of a line that lie above and below the range, a few for each column of pixels. */
export interface Clipped {
  line: Line;
  above: readonly number[];
  below: readonly number[];
}

export interface Fit {
  range: Range;
  notes: Notes;
  clipped: readonly Clipped[];
}

/** The range chosen by hand, else one that holds the data; counts are of real points in view. */
export function fitY(model: ChartModel, lines: readonly Line[], xRange: Range): Fit {
  const words = model.words ?? ENGLISH;
  const notes: Notes = {
    above: null,
    below: null,
    notPositive: notPositiveNote(model, lines, xRange, words),
  };
  const chosen = model.yRange;
  if (chosen !== null && !(model.logY && chosen[0] <= 0)) return { range: chosen, notes, clipped: [] };
  // Who looks closer at a part wants to see what is there.
  if (!model.ignoreOutliers || model.xRange !== null)
    return { range: padded(fullExtent(lines, xRange, model.logY), model.logY), notes, clipped: [] };
  const paths = lines.flatMap(({ main, ghost, series }) =>
    ghost === null ? [main, ...edgesOf(main, series, model.logY)] : [main, ghost],
  );
  const weighed = model.logX ? gatherColumns(paths, xRange) || gather(paths, xRange) : gather(paths, xRange);
  const range = withWholeLines(calmExtent(scratch, weighed, model.logY), lines, xRange, model.logY);
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

/** The points themselves, also where the line is smoothed. */
function rawPath({ main, ghost }: Line): Path {
  return ghost ?? main;
}

/** Grown where it would cut a line on both sides. */
function withWholeLines(calm: Range | null, lines: readonly Line[], xRange: Range, log: boolean): Range {
  const range = padded(calm, log);
  const needed = lines.reduce<Range | null>(
    (all, line) => union(all, neededExtent(scratch, gather([rawPath(line)], xRange), range)),
    null,
  );
  return needed === null ? range : padded(union(calm, needed), log);
}

/** Marks nearer to each other than this part of the view are one. */
const MARKS = 400;

function clippedOf(line: Line, [min, max]: Range, range: Range): Clipped | null {
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

/** What all lines and the raw points behind them span in y. */
function fullExtent(lines: readonly Line[], xRange: Range, log: boolean): Range | null {
  const paths = lines.flatMap(({ main, ghost, series }) => {
    return ghost === null ? [main, ...edgesOf(main, series, log)] : [main, ghost];
  });
  const seen = gather(paths, xRange); // first: it may change what `scratch` is
  return extent(scratch, seen);
}

/** Lower and upper edge of a band, as paths along its line. On a log axis what is not positive is left out. */
function edgesOf(main: Path, { lo, hi }: ChartSeries, log: boolean): Path[] {
  if (!lo || !hi) return [];
  return [lo, hi].map((y) => ({
    ...main,
    y: log ? y.map((value, i) => (value > 0 ? value : main.y[i]!)) : y,
  }));
}

/** What log axes cannot show of the range asked for; one of x that is not zoomed in asks for everything. */
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

/** Grows and is used again: a chart in view may hold half a million values, sixty times a second. */
let scratch = new Float64Array(1024);

/**
 * Copies the drawable values inside a range of x to `scratch`; returns how many. Between two points there are
 * none: then those on either side, which the line in view joins.
 */
function gather(paths: readonly Path[], xRange: Range): number {
  return gatherSpans(paths, xRange, false) || gatherSpans(paths, xRange, true);
}

function gatherSpans(paths: readonly Path[], range: Range, neighbours: boolean): number {
  const room = paths.reduce((sum, { y }) => sum + y.length, 0);
  if (scratch.length < room) scratch = new Float64Array(room * 2);
  let n = 0;
  for (const path of paths) {
    for (let s = 0; s < path.strands.length; s += 2) {
      const [from, to] = clipStrand(path, s, range, neighbours);
      if (path.sorted) {
        scratch.set(path.y.subarray(from, to), n);
        n += to - from;
      } else n = gatherTangled(path, from, to, range, n);
    }
  }
  return n;
}

/** Columns of a picture: fine enough to weigh its parts by the room they take. */
const COLUMNS = 240;

/**
 * The lowest and the highest value of each column of a log axis of x. Most points stand in its last part: weighed by
 * their number, all that lies before would be an outlier.
 */
function gatherColumns(paths: readonly Path[], range: Range): number {
  const perLog = COLUMNS / Math.log(range[1] / range[0]);
  const room = paths.reduce((sum, { y, strands }) => sum + 2 * y.length + COLUMNS * strands.length, 0);
  if (scratch.length < room) scratch = new Float64Array(room * 2);
  let n = 0;
  for (const path of paths) {
    for (let s = 0; s < path.strands.length; s += 2) {
      const [from, to] = clipStrand(path, s, range, false);
      let column = Number.NaN;
      for (let i = from; i < to; i++) {
        const value = path.y[i]!;
        const at = Math.floor(Math.log(path.x[i]! / range[0]) * perLog);
        if (!path.sorted && (path.x[i]! < range[0] || path.x[i]! > range[1])) continue;
        if (at !== column) {
          // The line passes through the columns between two points as well.
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
