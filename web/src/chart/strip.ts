/**
 * Draws series of one point each as a strip of dots: a row for each with its name, its dot on an axis of values, and
 * the value. A line through one point would show nothing. Pure; the caller provides the function that measures text.
 */

import { formatValue } from "../lib/number";
import { cutInMiddle } from "../lib/short-names";
import { extent, padded, type Range } from "./domain";
import type { Line } from "./line";
import type { ChartModel, ChartSeries } from "./model";
import { fontOf, type Pen, sharp } from "./pen";
import type { Box, Picture, Strip, StripRow } from "./picture";
import { makeScale, type Scale } from "./scale";
import { linearTicks, logTicks, type Ticks } from "./ticks";

/** Maximum height of a row, and the minimum height for text. */
const MAX_PITCH = 26;
const TEXT_PITCH = 12.5;
const NAME_SHARE = 0.4;
const GAP = 8;
const PX_PER_TICK = 72;

/** Whether every series has exactly one point. */
export function isStrip(series: readonly ChartSeries[]): boolean {
  return series.length > 0 && series.every(({ x, held }) => x.length === 1 && held === 1);
}

export function composeStrip(
  model: ChartModel,
  lines: readonly Line[],
  room: Box,
  measure: (text: string) => number,
): Strip {
  const height = room.bottom - room.top;
  const pitch = Math.min(MAX_PITCH, height / lines.length);
  const named = pitch >= TEXT_PITCH;
  const most = NAME_SHARE * (room.right - room.left);
  const names = lines.map(({ series }) =>
    named ? cutInMiddle(series.label, (text) => measure(text) <= most) : "",
  );
  const left = room.left + GAP + (named ? Math.max(...names.map(measure)) : 0);
  const values = valueScale(model, lines, [Math.min(left, room.right - 40), room.right]);
  const start = room.top + (height - pitch * lines.length) / 2;
  const rows = lines.map((line, i): StripRow => {
    const value = line.series.y[0]!;
    const x = values.map(value);
    return {
      line,
      x: Number.isFinite(x) ? x : Number.NaN,
      y: start + pitch * (i + 0.5),
      name: names[i]!,
      value: formatValue(value),
    };
  });
  return { rows, values, ticks: ticksOf(values), named };
}

function valueScale({ logY, yRange }: ChartModel, lines: readonly Line[], range: Range): Scale {
  const all = lines.flatMap(({ series: { y, lo, hi } }) => [y[0]!, lo?.[0] ?? y[0]!, hi?.[0] ?? y[0]!]);
  const shown = extent(logY ? all.filter((value) => value > 0) : all);
  const chosen = yRange !== null && !(logY && yRange[0] <= 0) ? yRange : padded(shown, logY);
  return makeScale(logY ? "log" : "linear", chosen, range);
}

function ticksOf({ kind, domain: [min, max], range: [left, right] }: Scale): Ticks {
  const count = Math.max(2, Math.min(6, Math.floor((right - left) / PX_PER_TICK)));
  return kind === "log" ? logTicks(min, max, count) : linearTicks(min, max, count);
}

/** The row at a position; null if there is none. */
export function rowUnder({ rows }: Strip, y: number): StripRow | null {
  let best: StripRow | null = null;
  for (const row of rows) {
    if (best === null || Math.abs(row.y - y) < Math.abs(best.y - y)) best = row;
  }
  return best !== null && Math.abs(best.y - y) <= MAX_PITCH ? best : null;
}

/** Draws the strip with its axis and returns the number of points. */
export function drawStrip(
  pen: Pen,
  picture: Picture,
  strip: Strip,
  highlighted: number | null,
  ratio: number,
): number {
  const { theme } = picture;
  const [left, right] = strip.values.range;
  const lit = strip.rows.some(({ line }) => line.series.run === highlighted);
  pen.lineWidth = 1;
  pen.setLineDash([]);
  if (!strip.named) drawGrid(pen, picture, strip, ratio);
  for (const row of strip.rows) {
    const front = row.line.series.run === highlighted;
    pen.globalAlpha = 1;
    // Guides connect names and dots.
    if (strip.named) drawGuide(pen, theme.grid, [left, sharp(row.y, ratio)], [right, sharp(row.y, ratio)]);
    pen.globalAlpha = lit && !front ? theme.dimAlpha : 1;
    drawDot(pen, strip, row, front ? 4.5 : strip.named ? 3.5 : 2.5);
    if (strip.named) drawTexts(pen, picture, strip, row, front);
  }
  pen.globalAlpha = 1;
  drawTicks(pen, picture, strip);
  return strip.rows.length;
}

type Point = [x: number, y: number];

function drawGuide(pen: Pen, color: string, from: Point, to: Point): void {
  pen.strokeStyle = color;
  pen.beginPath();
  pen.moveTo(...from);
  pen.lineTo(...to);
  pen.stroke();
}

function drawGrid(pen: Pen, { theme, plot }: Picture, { values, ticks }: Strip, ratio: number): void {
  for (const tick of ticks.values) {
    const at = sharp(values.map(tick), ratio);
    drawGuide(pen, theme.grid, [at, plot.top], [at, plot.bottom]);
  }
}

function drawDot(pen: Pen, { values }: Strip, { line: { series }, x, y }: StripRow, radius: number): void {
  const { lo, hi, color } = series;
  if (lo && hi) {
    pen.strokeStyle = color;
    pen.beginPath();
    pen.moveTo(values.map(lo[0]!), y);
    pen.lineTo(values.map(hi[0]!), y);
    pen.stroke();
  }
  if (Number.isNaN(x)) return;
  pen.fillStyle = color;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

/** Draws the name before the strip, and the value behind its dot, or before it if there is no room. */
function drawTexts(pen: Pen, { theme }: Picture, { values }: Strip, row: StripRow, front: boolean): void {
  const [left, right] = values.range;
  pen.font = fontOf(theme, undefined, front ? 600 : 400);
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  pen.fillStyle = theme.text2;
  pen.fillText(row.name, left - GAP, row.y);
  const x = Number.isNaN(row.x) ? left - GAP : Math.max(left, Math.min(right, row.x));
  const width = pen.measureText(row.value).width;
  const before = x + GAP + width > right;
  const start = before ? x - GAP - width : x + GAP;
  pen.globalAlpha = 1;
  pen.fillStyle = theme.surface;
  pen.fillRect(start - 2, row.y - 6, width + 4, 12);
  pen.fillStyle = theme.text;
  pen.textAlign = "left";
  pen.fillText(row.value, start, row.y);
}

function drawTicks(pen: Pen, { theme, plot, size }: Picture, { values, ticks }: Strip): void {
  pen.font = fontOf(theme);
  pen.fillStyle = theme.axisText;
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  ticks.values.forEach((value, i) => {
    const label = ticks.labels[i]!;
    const width = pen.measureText(label).width;
    const start = Math.min(values.map(value) - width / 2, size.width - 4 - width);
    pen.fillText(label, Math.max(2, start), plot.bottom + 13);
  });
}
