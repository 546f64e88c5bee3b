/**
 * Everything a drawing needs, worked out from a model and a size: ranges, scales, ticks, margins, and the
 * counts of what does not fit. Pure; text is measured by a function given.
 */

import { groupDigits } from "../base/number";
import { countOutside, extent, padded, type Range, robustExtent, union, xDomain } from "./domain";
import type { Line, LineCache, Path } from "./line";
import { type Axis, type ChartModel, type ChartTheme, type ChartWords, ENGLISH } from "./model";
import { makeScale, type Scale } from "./scale";
import { clipSpan } from "./strand";
import { linearTicks, logTicks, type Ticks } from "./ticks";
import { clockTicks, durationTicks } from "./timeticks";

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Size {
  width: number;
  height: number;
}

/** Small texts in the corners of the plot: what is not to be seen, and how much of it. */
export interface Notes {
  above: string | null;
  below: string | null;
  notPositive: string | null;
}

export interface Picture {
  size: Size;
  plot: Box;
  x: Scale;
  y: Scale;
  xTicks: Ticks;
  yTicks: Ticks;
  lines: Line[];
  notes: Notes;
  theme: ChartTheme;
}

const MOST_X_TICKS = 5;
const LABEL_GAP = 18;
const MARGIN = { top: 8, right: 12, bottom: 22, left: 36 };

/** `measure`: width in pixels of a label at the size of axis text. */
export function composePicture(
  model: ChartModel,
  size: Size,
  lines: LineCache,
  measure: (text: string) => number,
): Picture {
  const ready = model.series.map((series) => lines.get(series, model.smoothing, model.logY));
  const xRange =
    model.xRange ?? xDomain(ready.reduce<Range | null>((all, { span }) => union(all, span), null));
  const { range: yRange, notes } = chooseY(model, ready, xRange);
  const { top } = MARGIN;
  const bottom = Math.max(top + 8, size.height - MARGIN.bottom);
  const yTicks = chooseYTicks(yRange, model.logY, bottom - top);
  const left = leftMargin(yTicks.labels, measure);
  const right = Math.max(left + 8, size.width - MARGIN.right);
  return {
    size,
    plot: { left, top, right, bottom },
    x: makeScale(model.axis === "step" ? "linear" : "time", xRange, [left, right]),
    y: makeScale(model.logY ? "log" : "linear", yRange, [bottom, top]),
    xTicks: chooseXTicks(model.axis, xRange, right - left, measure),
    yTicks,
    lines: ready,
    notes,
    theme: model.theme,
  };
}

/** Labels of neighbouring cards line up unless they are long. */
function leftMargin(labels: readonly string[], measure: (text: string) => number): number {
  const widest = labels.reduce((most, label) => Math.max(most, measure(label)), 0);
  return Math.max(MARGIN.left, Math.ceil((widest + 12) / 4) * 4);
}

function chooseYTicks([min, max]: Range, log: boolean, height: number): Ticks {
  const count = Math.max(2, Math.min(5, Math.floor(height / 28)));
  return log ? logTicks(min, max, count) : linearTicks(min, max, count);
}

function chooseXTicks(axis: Axis, range: Range, width: number, measure: (text: string) => number): Ticks {
  for (let count = MOST_X_TICKS; count > 1; count--) {
    const ticks = xTicksOf(axis, range, count);
    const widest = ticks.labels.reduce((most, label) => Math.max(most, measure(label)), 0);
    const apart = (width * tickDistance(ticks.values)) / (range[1] - range[0]);
    if (ticks.values.length < 2 || widest + LABEL_GAP <= apart) return ticks;
  }
  return xTicksOf(axis, range, 1);
}

function tickDistance(values: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 1; i < values.length; i++) least = Math.min(least, values[i]! - values[i - 1]!);
  return least;
}

function xTicksOf(axis: Axis, [min, max]: Range, count: number): Ticks {
  if (axis === "step") return linearTicks(min, max, count, true);
  return axis === "relative" ? durationTicks(min, max, count) : clockTicks(min, max, count);
}

function chooseY(model: ChartModel, lines: readonly Line[], xRange: Range): { range: Range; notes: Notes } {
  const words = model.words ?? ENGLISH;
  const notPositive = model.logY ? notPositiveNote(lines, xRange, words) : null;
  const chosen = model.yRange;
  if (chosen !== null && !(model.logY && chosen[0] <= 0)) {
    return { range: chosen, notes: { above: null, below: null, notPositive } };
  }
  if (!model.ignoreOutliers) {
    const range = padded(fullExtent(lines, xRange), model.logY);
    return { range, notes: { above: null, below: null, notPositive } };
  }
  const seen = gather(
    lines.map(({ main }) => main),
    xRange,
  );
  const range = padded(robustExtent(scratch, seen), model.logY);
  const { above, below } = countOutside(scratch, range, seen);
  const whole = lines.every(({ series }) => series.raw);
  const note = (count: number, word: (points: string) => string) =>
    count === 0 ? null : word(groupDigits(String(count)) + (whole ? "" : "+"));
  return { range, notes: { above: note(above, words.above), below: note(below, words.below), notPositive } };
}

/** What all lines and the raw points behind them span in y. */
function fullExtent(lines: readonly Line[], xRange: Range): Range | null {
  const paths = lines.flatMap(({ main, ghost }) => (ghost === null ? [main] : [main, ghost]));
  return extent(scratch, gather(paths, xRange));
}

function notPositiveNote(lines: readonly Line[], [min, max]: Range, words: ChartWords): string | null {
  let count = 0;
  for (const { notPositive, series } of lines) {
    for (const i of notPositive) if (series.x[i]! >= min && series.x[i]! <= max) count++;
  }
  return count === 0 ? null : words.notPositive(groupDigits(String(count)));
}

/** Grows and is used again: a chart in view may hold half a million values, sixty times a second. */
let scratch = new Float64Array(1024);

/** Copies the drawable values inside a range of x to `scratch`; returns how many. */
function gather(paths: readonly Path[], [min, max]: Range): number {
  const room = paths.reduce((sum, { y }) => sum + y.length, 0);
  if (scratch.length < room) scratch = new Float64Array(room * 2);
  let n = 0;
  for (const { x, y, strands } of paths) {
    for (let s = 0; s < strands.length; s += 2) {
      const [from, to] = clipSpan(x, strands[s]!, strands[s + 1]!, min, max, false);
      scratch.set(y.subarray(from, to), n);
      n += to - from;
    }
  }
  return n;
}
