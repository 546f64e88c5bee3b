/** Finds the range of y for what is in view, and says what it leaves out. */

import { groupDigits } from "../base/number";
import { calmExtent, countOutside, extent, padded, type Range } from "./domain";
import { clipStrand, type Line, type Path } from "./line";
import { type ChartModel, type ChartSeries, type ChartWords, ENGLISH } from "./model";

/** Small texts in the corners of the plot: what is not to be seen, and how much of it. */
export interface Notes {
  above: string | null;
  below: string | null;
  notPositive: string | null;
}

export interface Fit {
  range: Range;
  notes: Notes;
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
  if (chosen !== null && !(model.logY && chosen[0] <= 0)) return { range: chosen, notes };
  if (!model.ignoreOutliers)
    return { range: padded(fullExtent(lines, xRange, model.logY), model.logY), notes };
  const paths = lines.flatMap(({ main, series }) => [main, ...edgesOf(main, series, model.logY)]);
  const weighed = model.logX ? gatherColumns(paths, xRange) || gather(paths, xRange) : gather(paths, xRange);
  const range = padded(calmExtent(scratch, weighed, model.logY), model.logY);
  const seen = model.logX ? gather(paths, xRange) : weighed;
  const { above, below } = countOutside(scratch, range, seen);
  const whole = lines.every(({ series }) => series.raw);
  const note = (count: number, word: (points: string) => string) =>
    count === 0 ? null : word(groupDigits(String(count)) + (whole ? "" : "+"));
  return { range, notes: { ...notes, above: note(above, words.above), below: note(below, words.below) } };
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
