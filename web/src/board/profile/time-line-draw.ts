/** Draws a time line on a canvas: ruler, steps, tracks and marks. */

import type { ChartTheme } from "../../chart/model";
import { linearTicks } from "../../chart/ticks";
import { formatMicroseconds } from "../../lib/microseconds";
import type { ColorScheme } from "../runs/slot";
import type { ProfileRange } from "../view/profile-view";
import type { Span } from "../view/view-codec";
import { counterValue } from "./labels";
import { type Category, categoryColor, type ProfileStep, type SliceDetails, type TimeLine } from "./profiles";
import {
  COUNTER_PX,
  type CounterPlace,
  type Places,
  pictureY,
  ROW_PX,
  RULER_PX,
  type Scroll,
  TICK_PX,
  type TrackPlace,
} from "./time-line-places";
import { rangeOf } from "./time-line-points";

const LABEL_PX = 110;
const LETTER_PX = 6.2;
const LEAST_TEXT_PX = 24;
const STEPS_PX = 18;
/** What does not have the words that are looked for. */
const DIMMED = 0.25;
const TILE = 6;

export interface Drawing {
  line: TimeLine;
  places: Places;
  steps: readonly ProfileStep[];
  /** The number of the step that is pinned on charts; null if none is. */
  pinnedStep: number | null;
  window: Span;
  width: number;
  height: number;
  scroll: Scroll;
  theme: ChartTheme;
  scheme: ColorScheme;
  hovered: number | null;
  /** Track and slice of the chosen mark. */
  chosen: { host: number; slice: number } | null;
  range: ProfileRange | null;
  /** What is known of the chosen slice. */
  details: SliceDetails | null;
}

export function drawTimeLine(pen: CanvasRenderingContext2D, drawing: Drawing): void {
  const { theme, width, height, scroll, places } = drawing;
  pen.fillStyle = theme.surface;
  pen.fillRect(0, 0, width, height);
  pen.textBaseline = "middle";
  const zones = [
    { from: RULER_PX + scroll.stuck, to: height, isStuck: false },
    { from: RULER_PX, to: RULER_PX + scroll.stuck, isStuck: true },
  ];
  for (const { from, to, isStuck } of zones) {
    pen.save();
    pen.beginPath();
    pen.rect(0, from, width, to - from);
    pen.clip();
    drawStepLines(pen, drawing);
    for (const place of places.tracks) {
      if (place.top < scroll.stuck === isStuck) drawTrack(pen, drawing, place);
    }
    if (!isStuck) for (const place of places.counters) drawCounter(pen, drawing, place);
    drawRange(pen, drawing, isStuck);
    pen.restore();
  }
  if (scroll.stuck > 0) {
    pen.strokeStyle = theme.line;
    line(pen, 0, RULER_PX + scroll.stuck - 0.5, width, RULER_PX + scroll.stuck - 0.5);
  }
  drawFlows(pen, drawing);
  drawRuler(pen, drawing);
  drawMeasure(pen, drawing);
}

/** Times are positions by this. */
function scaleOf({ window: [begin, end], width }: Drawing) {
  const pixels = width / (end - begin);
  return (time: number) => (time - begin) * pixels;
}

function drawRuler(pen: CanvasRenderingContext2D, drawing: Drawing): void {
  const { theme, window, width, steps } = drawing;
  const x = scaleOf(drawing);
  const ticks = linearTicks(window[0], window[1], Math.max(2, Math.floor(width / LABEL_PX)));
  pen.fillStyle = theme.axisText;
  pen.font = `11px ${theme.font}`;
  pen.strokeStyle = theme.line;
  pen.lineWidth = 1;
  for (const tick of ticks.values) {
    const at = Math.round(x(tick)) + 0.5;
    line(pen, at, 0, at, RULER_PX - STEPS_PX);
    pen.fillText(formatMicroseconds(tick), at + 4, (RULER_PX - STEPS_PX) / 2);
  }
  line(pen, 0, RULER_PX - 0.5, width, RULER_PX - 0.5);
  pen.fillStyle = theme.text;
  for (const { step, start_us, duration_us, inferred } of firstHost(steps)) {
    const [from, to] = [Math.max(0, x(start_us)), Math.min(width, x(start_us + duration_us))];
    if (to < 0 || from > width) continue;
    pen.globalAlpha = step === drawing.pinnedStep && !inferred ? 0.5 : 0.16;
    pen.fillStyle = theme.accent;
    pen.fillRect(from, RULER_PX - STEPS_PX, Math.max(1, to - from - 1), STEPS_PX - 2);
    pen.globalAlpha = 1;
    pen.fillStyle = theme.text;
    const text = String(step);
    if (to - from > text.length * LETTER_PX + 8) pen.fillText(text, from + 4, RULER_PX - STEPS_PX / 2 - 1);
  }
}

/** Steps of other hosts would be drawn over each other. */
function firstHost(steps: readonly ProfileStep[]): readonly ProfileStep[] {
  const first = steps[0];
  return steps.filter(({ host, rank }) => host === first?.host && rank === first.rank);
}

function drawStepLines(pen: CanvasRenderingContext2D, drawing: Drawing): void {
  const x = scaleOf(drawing);
  pen.strokeStyle = drawing.theme.grid;
  for (const { start_us, duration_us } of firstHost(drawing.steps)) {
    for (const time of [start_us, start_us + duration_us]) {
      const at = Math.round(x(time)) + 0.5;
      if (at >= 0 && at <= drawing.width) line(pen, at, RULER_PX, at, drawing.height);
    }
  }
}

function drawTrack(pen: CanvasRenderingContext2D, drawing: Drawing, place: TrackPlace): void {
  const { height, theme, scroll } = drawing;
  pen.font = `11px ${theme.font}`;
  if (place.ticks !== null) drawInstants(pen, drawing, place.track, pictureY(place.ticks, scroll));
  place.rows.forEach((row, depth) => {
    const top = pictureY(place.body, scroll) + depth * ROW_PX;
    if (top > height || top + ROW_PX < RULER_PX) return;
    for (let at = row.begin; at < row.end; at++) drawMark(pen, drawing, at, top);
  });
}

/** A triangle for each, which points at its moment. */
function drawInstants(pen: CanvasRenderingContext2D, drawing: Drawing, track: number, y: number): void {
  const { line: data, theme, width, height } = drawing;
  if (y > height || y + TICK_PX < RULER_PX) return;
  const x = scaleOf(drawing);
  const [begin, end] = rangeOf(data.instants.track, track);
  pen.fillStyle = theme.text2;
  for (let at = begin; at < end; at++) {
    const middle = x(data.instants.time_us[at]!);
    if (middle < -TILE || middle > width + TILE) continue;
    pen.beginPath();
    pen.moveTo(middle - 3, y + 1);
    pen.lineTo(middle + 3, y + 1);
    pen.lineTo(middle, y + TICK_PX - 2);
    pen.fill();
  }
}

/** Its value as steps from zero, or from its least one, up to its largest; pixels with many samples have all of them. */
function drawCounter(pen: CanvasRenderingContext2D, drawing: Drawing, place: CounterPlace): void {
  const { line: data, theme, width, height, scroll } = drawing;
  const top = pictureY(place.top, scroll);
  if (top > height || top + COUNTER_PX < RULER_PX) return;
  const { name, low, high } = data.counters[place.counter]!;
  const { samples } = data;
  const [begin, end] = rangeOf(samples.counter, place.counter);
  const x = scaleOf(drawing);
  const least = Math.min(0, low);
  const most = Math.max(high, least + Number.MIN_VALUE);
  const bottom = top + COUNTER_PX;
  const y = (value: number) => bottom - ((value - least) / (most - least)) * (COUNTER_PX - 16);
  pen.fillStyle = theme.accent;
  for (let at = begin; at < end; at++) {
    const from = Math.max(0, x(samples.time_us[at]!));
    const to = at + 1 < end ? Math.min(width, x(samples.time_us[at + 1]!)) : width;
    if (to < 0 || from > width) continue;
    const level = y(samples.value[at]!);
    pen.globalAlpha = 0.16;
    pen.fillRect(from, level, to - from, bottom - level);
    pen.globalAlpha = 1;
    pen.fillRect(from, level - 0.5, Math.max(1, to - from), 1.5);
    const [above, below] = [y(samples.high[at]!), y(samples.low[at]!)];
    pen.fillRect(from, above, 1, below - above);
  }
  pen.strokeStyle = theme.grid;
  line(pen, 0, bottom + 0.5, width, bottom + 0.5);
  pen.font = `11px ${theme.font}`;
  pen.fillStyle = theme.text2;
  pen.fillText(
    fitting(`${name} · ${counterValue(name, low)} – ${counterValue(name, high)}`, width - 24),
    16,
    top + 8,
  );
}

/** The tracks of the range, or the whole height. */
function drawRange(pen: CanvasRenderingContext2D, drawing: Drawing, isStuck: boolean): void {
  const { range, places, scroll, theme, width, height } = drawing;
  if (!range) return;
  const x = scaleOf(drawing);
  const [from, to] = [Math.max(-2, x(range.span[0])), Math.min(width + 2, x(range.span[1]))];
  if (to < 0 || from > width) return;
  const bands: [number, number][] =
    range.tracks.length === 0
      ? [[RULER_PX, height]]
      : places.tracks
          .filter(({ key, top }) => range.tracks.includes(key) && top < scroll.stuck === isStuck)
          .map(({ top, bottom }) => [pictureY(top, scroll), pictureY(top, scroll) + bottom - top]);
  pen.fillStyle = theme.accent;
  pen.globalAlpha = 0.14;
  for (const [above, below] of bands) pen.fillRect(from, above, Math.max(1, to - from), below - above);
  pen.globalAlpha = 1;
  pen.strokeStyle = theme.accent;
  for (const at of [from, to]) line(pen, Math.round(at) + 0.5, RULER_PX, Math.round(at) + 0.5, height);
}

/** Arrows from and to the chosen slice. */
function drawFlows(pen: CanvasRenderingContext2D, drawing: Drawing): void {
  const { details, chosen, theme, width, height } = drawing;
  if (!details || !chosen) return;
  pen.save();
  pen.beginPath();
  pen.rect(0, RULER_PX, width, height - RULER_PX);
  pen.clip();
  pen.strokeStyle = theme.text;
  pen.fillStyle = theme.text;
  pen.lineWidth = 1.5;
  const own = placeOf(drawing, details);
  for (const other of details.leads_to) drawArrow(pen, own, placeOf(drawing, other));
  for (const other of details.comes_from) drawArrow(pen, placeOf(drawing, other), own);
  pen.restore();
}

interface SlicePlace {
  from: number;
  to: number;
  y: number;
}

/** Where a slice of the host of the chosen one is, also if its track is closed; null if that is not shown. */
function placeOf(
  drawing: Drawing,
  slice: { track_index: number; depth: number; start_us: number; duration_us: number },
): SlicePlace | null {
  const { places, scroll, chosen } = drawing;
  const key = `${chosen!.host}:${slice.track_index}`;
  const place = places.tracks.find((each) => each.key === key);
  if (!place) return null;
  const x = scaleOf(drawing);
  const row = Math.max(0, Math.min(slice.depth, place.rows.length - 1));
  const y = pictureY(place.body, scroll) + (row + 0.5) * ROW_PX - 1;
  return { from: x(slice.start_us), to: x(slice.start_us + slice.duration_us), y };
}

/** From the end of a slice, or from above the other one if that begins earlier, to the beginning of the other one. */
function drawArrow(pen: CanvasRenderingContext2D, from: SlicePlace | null, to: SlicePlace | null): void {
  if (!from || !to) return;
  const x = Math.min(from.to, Math.max(from.from, to.from - 2 * TILE));
  const bend = Math.max(16, Math.abs(to.from - x) / 2);
  pen.beginPath();
  pen.moveTo(x, from.y);
  pen.bezierCurveTo(x + bend, from.y, to.from - bend, to.y, to.from, to.y);
  pen.stroke();
  pen.beginPath();
  pen.moveTo(to.from, to.y);
  pen.lineTo(to.from - TILE, to.y - TILE / 2);
  pen.lineTo(to.from - TILE, to.y + TILE / 2);
  pen.fill();
}

/** How long the range is, on the ruler, between its edges. */
function drawMeasure(pen: CanvasRenderingContext2D, drawing: Drawing): void {
  const { range, theme, width } = drawing;
  if (!range) return;
  const x = scaleOf(drawing);
  const [from, to] = range.span.map((time) => Math.round(x(time)) + 0.5) as [number, number];
  if (to < 0 || from > width) return;
  const y = (RULER_PX - STEPS_PX) / 2;
  const text = formatMicroseconds(range.span[1] - range.span[0]);
  pen.font = `600 11px ${theme.font}`;
  const wide = pen.measureText(text).width + 12;
  const [left, right] = [Math.max(0, from), Math.min(width, to)];
  pen.fillStyle = theme.surface;
  pen.fillRect(left, 0, right - left, RULER_PX - STEPS_PX - 1);
  pen.strokeStyle = theme.accent;
  line(pen, left, y, right, y);
  for (const at of [from, to]) {
    line(pen, at, 2, at, RULER_PX - 1);
    pen.fillStyle = theme.accent;
    pen.fillRect(at - TILE / 2, y - TILE, TILE, 2 * TILE);
  }
  const middle = Math.min(Math.max((left + right) / 2 - wide / 2, 0), width - wide);
  const place = right - left > wide + 2 * TILE ? middle : Math.min(right + TILE, width - wide);
  pen.fillStyle = theme.surface;
  pen.fillRect(place, y - 8, wide, 16);
  pen.fillStyle = theme.text;
  pen.fillText(text, place + 6, y);
}

function drawMark(pen: CanvasRenderingContext2D, drawing: Drawing, at: number, y: number): void {
  const { line: data, theme, scheme, hovered, chosen, width } = drawing;
  const { marks } = data;
  const x = scaleOf(drawing);
  const start = marks.start_us[at]!;
  const from = Math.max(-2, x(start));
  const to = Math.min(width + 2, x(start + marks.duration_us[at]!));
  if (to < 0 || from > width) return;
  const wide = Math.max(1, to - from - (to - from > 3 ? 1 : 0));
  const color = categoryColor(data.categories[marks.category[at]!] as Category, scheme);
  const name = data.names[marks.name[at]!]!;
  const isMany = marks.count[at]! > 1;
  const busy = marks.duration_us[at]! > 0 ? marks.busy_us[at]! / marks.duration_us[at]! : 1;
  const found = marks.found[at];
  const dim = found === 0 ? DIMMED : 1;
  pen.globalAlpha = dim * (isMany ? 0.25 + 0.5 * Math.min(1, busy) : shadeOf(name));
  pen.fillStyle = color;
  pen.fillRect(from, y, wide, ROW_PX - 2);
  pen.globalAlpha = 1;
  if (found) {
    pen.fillStyle = theme.accent;
    pen.fillRect(from, y + ROW_PX - 4, wide, 2);
  }
  const isChosen =
    !isMany && marks.slice[at] === chosen?.slice && data.tracks[marks.track[at]!]!.host === chosen?.host;
  if (isChosen || at === hovered) {
    pen.strokeStyle = isChosen ? theme.text : theme.accent;
    pen.lineWidth = isChosen ? 2 : 1;
    pen.strokeRect(from + 0.5, y + 0.5, Math.max(2, wide - 1), ROW_PX - 3);
    pen.lineWidth = 1;
  }
  if (isMany || to - from < LEAST_TEXT_PX) return;
  pen.fillStyle = found === 0 ? theme.text2 : theme.text;
  const left = Math.max(from, 0) + 4;
  pen.fillText(fitting(name, to - left - 4), left, y + ROW_PX / 2 - 1);
}

/** Neighbors of one category differ a little, by their names. Text is readable on all of them. */
function shadeOf(name: string): number {
  let hash = 0;
  for (let at = 0; at < name.length; at++) hash = (hash * 31 + name.charCodeAt(at)) | 0;
  return 0.22 + ((hash >>> 3) % 5) * 0.06;
}

export function fitting(text: string, width: number): string {
  const most = Math.floor(width / LETTER_PX);
  return text.length <= most ? text : most > 2 ? `${text.slice(0, most - 1)}…` : "";
}

function line(pen: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}
