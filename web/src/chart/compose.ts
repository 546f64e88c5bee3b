/**
 * Computes a picture from a model and a size: ranges, scales, ticks, margins, labels, and the counts of points
 * outside the range. Pure; the caller provides the function that measures text.
 */

import { nearestIndex } from "../lib/search";
import { type Range, union, xDomain } from "./domain";
import { fitY } from "./fit";
import { labelRoom, placeLabels } from "./labels";
import type { Line, LineCache, LineOptions } from "./line";
import type { Axis, ChartModel } from "./model";
import type { Picture, Side, Size } from "./picture";
import { makeScale, type Scale } from "./scale";
import { composeStrip, isStrip } from "./strip";
import { linearTicks, logTicks, type Ticks } from "./ticks";
import { clockTicks, durationTicks } from "./time-ticks";

const MAX_X_TICKS = 5;
const LABEL_GAP = 18;
const MARGIN = { top: 8, right: 12, bottom: 22, left: 36 };
const NO_TICKS: Ticks = { values: [], labels: [] };

/** Padding around a single x: half a step, a few seconds, a minute. */
const LONE_ROOM: Record<Axis, number> = { step: 0.5, relative: 5, wall: 60, tag: 0.5 };

/** `measure`: width in pixels of a label at the size of axis text. */
export function composePicture(
  model: ChartModel,
  size: Size,
  lines: LineCache,
  measure: (text: string) => number,
): Picture {
  const shape = shapeOf(model);
  const ready = model.series.map((series) => lines.get(series, shape));
  const data = ready.reduce<Range | null>((all, { span }) => union(all, span), null);
  const xRange = chooseXRange(model, data, shape.logX);
  const { range: yRange, notes, clipped } = fitY(model, ready, xRange);
  const { top } = MARGIN;
  const bottom = Math.max(top + 8, size.height - MARGIN.bottom);
  const yTicks = data === null ? NO_TICKS : chooseYTicks(yRange, model.logY, bottom - top);
  const left = leftMargin(yTicks.labels, measure);
  const room = model.labels ? labelRoom(ready, size.width, measure) : 0;
  const right = Math.max(left + 8, size.width - MARGIN.right - room);
  const x = makeScale(shape.logX ? "log" : isTime(model.axis) ? "time" : "linear", xRange, [left, right]);
  const y = makeScale(model.logY ? "log" : "linear", yRange, [bottom, top]);
  const plot = { left, top, right, bottom };
  const whole = { ...plot, left: MARGIN.right, right: size.width - MARGIN.right };
  return {
    size,
    plot,
    x,
    y,
    xTicks: data === null ? NO_TICKS : chooseXTicks(model.axis, x, measure),
    yTicks,
    lines: ready,
    notes,
    clipped,
    free: { top: freeSide(ready, x, y, 0.75), bottom: freeSide(ready, x, y, 0.25) },
    labels: placeLabels(ready, x, y, plot, room, measure),
    strip: isStrip(model.series) ? composeStrip(model, ready, whole, measure) : null,
    theme: model.theme,
  };
}

/**
 * The side, left or right, where fewer lines start or end near the edge; `share` above one half means the upper edge.
 */
function freeSide(lines: readonly Line[], x: Scale, y: Scale, share: number): Side {
  const edge = y.range[0] + share * (y.range[1] - y.range[0]);
  let more = 0;
  for (const { main } of lines) {
    const near = (value: number) => {
      const pixel = y.map(main.y[nearestIndex(main.x, value)]!);
      return share > 0.5 ? pixel < edge : pixel > edge;
    };
    more += Number(near(x.domain[0])) - Number(near(x.domain[1]));
  }
  return more < 0 ? "left" : "right";
}

/** The left margin: equal on all cards, so that neighbouring plots align, unless the labels are long. */
function leftMargin(labels: readonly string[], measure: (text: string) => number): number {
  const widest = labels.reduce((most, label) => Math.max(most, measure(label)), 0);
  return widest + 10 <= MARGIN.left ? MARGIN.left : Math.ceil((widest + 10) / 8) * 8;
}

function chooseYTicks([min, max]: Range, log: boolean, height: number): Ticks {
  const count = Math.max(2, Math.min(6, Math.floor(height / 24)));
  return log ? logTicks(min, max, count) : linearTicks(min, max, count);
}

function chooseXTicks(axis: Axis, scale: Scale, measure: (text: string) => number): Ticks {
  for (let count = MAX_X_TICKS; count > 1; count--) {
    const ticks = xTicksOf(axis, scale, count);
    const widest = ticks.labels.reduce((most, label) => Math.max(most, measure(label)), 0);
    if (ticks.values.length < 2 || widest + LABEL_GAP <= tickDistance(ticks.values, scale)) return ticks;
  }
  return xTicksOf(axis, scale, 1);
}

/** The smallest distance between neighbouring ticks in pixels. */
function tickDistance(values: readonly number[], scale: Scale): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 1; i < values.length; i++) {
    least = Math.min(least, scale.map(values[i]!) - scale.map(values[i - 1]!));
  }
  return least;
}

function xTicksOf(axis: Axis, { kind, domain: [min, max] }: Scale, count: number): Ticks {
  if (kind === "log") return logTicks(min, max, count);
  if (!isTime(axis)) return linearTicks(min, max, count, axis === "step");
  return axis === "relative" ? durationTicks(min, max, count) : clockTicks(min, max, count);
}

function shapeOf({ smoothing, logX = false, logY, axis }: ChartModel): LineOptions {
  return { smoothing, logX: logX && !isTime(axis), logY, tangled: axis === "tag", paused: isTime(axis) };
}

/** The zoom, or the range of the data. A log axis begins at the first x that it can show. */
function chooseXRange({ xRange, axis }: ChartModel, data: Range | null, log: boolean): Range {
  if (!log) return xRange ?? xDomain(data, LONE_ROOM[axis]);
  const [min, max] = data ?? [1, 10];
  const [from, to] = xRange ?? [min, max];
  if (!(to > 0)) return [min, Math.max(max, 2 * min)];
  const start = from > 0 ? from : Math.min(min, to / 10);
  return to > start * (1 + 1e-9) ? [start, to] : [start / 2, start * 2];
}

function isTime(axis: Axis): boolean {
  return axis === "relative" || axis === "wall";
}
