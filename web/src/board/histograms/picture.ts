/**
 * The layout of a plot: plot area, bars beside it, scales and ticks. Pure; the caller provides the function that
 * measures text.
 */

import type { ChartTheme } from "../../chart";
import type { Box, Size } from "../../chart/picture";
import { makeScale, type Scale } from "../../chart/scale";
import { linearTicks, type Ticks } from "../../chart/ticks";
import { clockTicks, durationTicks } from "../../chart/time-ticks";
import type { HistogramMode } from "../view/view-state";
import { type ColumnAxis, edgesOf, placesOf } from "./columns";
import type { HistogramBlock } from "./histograms";

export interface Model {
  block: HistogramBlock;
  /** Cells per column. */
  rows: number;
  /** The share of mass that has the full colour. */
  top: number;
  mode: HistogramMode;
  axis: ColumnAxis;
  /** x of all runs of the tag. */
  span: readonly [number, number];
  log: boolean;
  /** The colour of the run, for percentiles. */
  color: string;
  theme: ChartTheme;
  colors: readonly string[];
  words: PictureWords;
}

export interface PictureWords {
  /** "newest in front". */
  order: string;
}

export interface Picture extends Model {
  size: Size;
  plot: Box;
  /** Area of the histogram at the cursor; null if there is no room, or no need. */
  bars: Box | null;
  /** Steps or times; values for ridges and overlaid curves. */
  x: Scale;
  /** Values; steps or times for ridges. */
  y: Scale;
  xTicks: Ticks;
  yTicks: Ticks;
  edges: Float64Array;
  places: Float64Array;
  /** Height of the highest curve in pixels. */
  rise: number;
}

const BARS = { width: 44, share: 0.1, gap: 6, least: 250 };
const PERCENT_ROOM = 40;
/** Share of the height above the base of the rearmost ridge. */
const RISE = 0.34;

/** Whether the mode shows curves over values, one per step, instead of columns over steps. */
export function isCurves(mode: HistogramMode): boolean {
  return mode === "offset" || mode === "overlay";
}

export function composePicture(model: Model, size: Size, measure: (text: string) => number): Picture {
  const { block, axis, mode, span } = model;
  const curves = isCurves(mode);
  const values: [number, number] = [block.low, block.high];
  const height = Math.max(10, size.height - 28);
  const few = (pixels: number, each: number) => Math.max(2, Math.floor(pixels / each));
  const valueTicks = linearTicks(...values, few(curves ? size.width : height, curves ? 64 : 34));
  const placeTicks = (count: number) => ticksOf(axis, span, count);
  const yTicks = curves
    ? mode === "offset"
      ? placeTicks(few(height, 30))
      : { values: [], labels: [] }
    : valueTicks;
  const widest = yTicks.labels.reduce((most, label) => Math.max(most, measure(label)), 0);
  const side = Math.ceil(widest) + 14;
  const barsWidth = Math.max(BARS.width, Math.round(BARS.share * size.width));
  const bars = mode === "heatmap" && size.width >= BARS.least ? barsWidth + BARS.gap : 0;
  // Labels of ridges are at the right, where their front is.
  const right = mode === "offset" ? side : mode === "percentiles" ? PERCENT_ROOM : 10 + bars;
  const plot: Box = {
    left: curves ? 12 : Math.max(30, side),
    top: 8,
    right: size.width - right,
    bottom: size.height - 20,
  };
  const rise = mode === "offset" ? RISE * (plot.bottom - plot.top) : plot.bottom - plot.top - 14;
  const across = plot.right - plot.left;
  const ends = [plot.left, plot.right] as const;
  return {
    ...model,
    size,
    plot,
    bars: bars > 0 ? { ...plot, left: plot.right + BARS.gap, right: plot.right + bars } : null,
    x: makeScale("linear", curves ? values : span, ends),
    y: curves
      ? makeScale("linear", span, [plot.top + rise, plot.bottom])
      : makeScale("linear", values, [plot.bottom, plot.top]),
    xTicks: curves ? valueTicks : placeTicks(Math.min(5, few(across, axis === "step" ? 56 : 70))),
    yTicks,
    edges: edgesOf(block, axis),
    places: placesOf(block, axis),
    rise,
  };
}

function ticksOf(axis: ColumnAxis, [low, high]: readonly [number, number], count: number): Ticks {
  if (axis === "wall") return clockTicks(low, high, count);
  return axis === "relative" ? durationTicks(low, high, count) : linearTicks(low, high, count, true);
}

/** The base line of the curve of a column, in pixels. */
export function baseOf(picture: Picture, column: number): number {
  return picture.mode === "overlay" ? picture.plot.bottom : picture.y.map(picture.places[column]!);
}

/** The greatest mass in a cell, over all columns. */
export function peakOf({ block: { cells } }: Pick<Model, "block">): number {
  let peak = 0;
  for (const mass of cells) if (mass > peak) peak = mass;
  return peak;
}
