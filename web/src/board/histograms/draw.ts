/**
 * Draws the histograms of one run on any context: heat map, ridges, overlaid curves, percentiles; and above them the
 * cursor and the histogram at it. A pure function of its arguments, for the page, exports and tests.
 */

import { spread } from "../../chart/labels";
import { fontOf, type Pen, sharp } from "../../chart/pen";
import { QUANTILES } from "./histograms";
import { baseOf, isCurves, type Picture, peakOf } from "./picture";
import { colorAt, heightAt, SHADES } from "./ramp-colors";

/** Share of mass outside the range from which on it is marked. */
const MARKED = 0.05;
const MEDIAN = 4;
/** From the widest band to the narrowest: indices in `QUANTILES`, and opacity. */
const BANDS = [
  [0, 8, 0.1],
  [1, 7, 0.16],
  [2, 6, 0.24],
  [3, 5, 0.36],
] as const;
/** Positions of the oldest and newest curve in the ramp. */
const AGES = [0.16, 0.8] as const;

/** Paints the cells on a canvas, faster than with single rectangles. */
export type Paint = (picture: Picture) => void;

export function drawPicture(pen: Pen, picture: Picture, pixelRatio: number, paint?: Paint): void {
  const { mode } = picture;
  if (mode !== "heatmap") drawGrid(pen, picture, pixelRatio);
  if (mode === "heatmap") {
    (paint ?? ((each) => fillCells(pen, each)))(picture);
    drawGrid(pen, picture, pixelRatio);
    inPlot(pen, picture, () => drawLines(pen, picture));
    drawOutside(pen, picture);
  } else if (mode === "percentiles") {
    inPlot(pen, picture, () => drawBands(pen, picture));
    drawPercents(pen, picture);
  } else drawCurves(pen, picture);
  drawAxes(pen, picture);
  pen.globalAlpha = 1;
}

function inPlot(pen: Pen, { plot }: Picture, draw: () => void): void {
  pen.save();
  pen.beginPath();
  pen.rect(plot.left, plot.top, plot.right - plot.left, plot.bottom - plot.top);
  pen.clip();
  draw();
  pen.restore();
}

function drawGrid(pen: Pen, picture: Picture, pixelRatio: number): void {
  const { plot, theme, x, y, xTicks, yTicks, mode } = picture;
  pen.lineWidth = 1;
  pen.setLineDash([]);
  pen.strokeStyle = mode === "heatmap" ? theme.axis : theme.grid;
  pen.globalAlpha = mode === "heatmap" ? 0.35 : 1;
  pen.beginPath();
  for (const value of isCurves(mode) ? xTicks.values : yTicks.values) {
    const at = sharp((isCurves(mode) ? x : y).map(value), pixelRatio);
    if (isCurves(mode)) {
      pen.moveTo(at, plot.top);
      pen.lineTo(at, plot.bottom);
    } else {
      pen.moveTo(plot.left, at);
      pen.lineTo(plot.right, at);
    }
  }
  pen.stroke();
  pen.globalAlpha = 1;
}

// Heat map

/** The color of every cell, column by column from low to high. */
export function cellColors({ block, top, log }: Picture): Uint8Array {
  return Uint8Array.from(block.cells, (mass) => colorAt(mass, top, log));
}

function fillCells(pen: Pen, picture: Picture): void {
  const { plot, edges, x, rows, colors } = picture;
  const codes = cellColors(picture);
  const tall = (plot.bottom - plot.top) / rows;
  for (let column = 0; column < edges.length - 1; column++) {
    const left = Math.max(plot.left, x.map(edges[column]!));
    const right = Math.min(plot.right, x.map(edges[column + 1]!));
    if (right <= left) continue;
    for (let row = 0; row < rows; ) {
      const code = codes[column * rows + row]!;
      let end = row + 1;
      while (end < rows && codes[column * rows + end] === code) end++;
      if (code > 0) {
        pen.fillStyle = colors[code]!;
        pen.fillRect(left, plot.bottom - end * tall, right - left, (end - row) * tall);
      }
      row = end;
    }
  }
}

/** The median and the 5th and 95th percentiles, with an outline so that they are visible on any color. */
function drawLines(pen: Pen, picture: Picture): void {
  const { theme } = picture;
  for (const [width, alpha, color] of [
    [3.5, 0.5, theme.surface],
    [1.25, 0.9, theme.text],
  ] as const) {
    pen.strokeStyle = color;
    pen.lineWidth = width;
    pen.globalAlpha = alpha;
    pen.lineJoin = "round";
    pen.setLineDash([]);
    trace(pen, picture, MEDIAN);
    pen.globalAlpha = 0.8 * alpha;
    pen.lineWidth = 0.8 * width;
    if (color === theme.text) pen.setLineDash([4, 3]);
    for (const line of [2, 6]) trace(pen, picture, line);
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

/** x and y of a quantile, by column; a single column has its own width. */
function pointsOf({ block, x, y, edges, places }: Picture, line: number): [number, number][] {
  const values = block.lines[line]!;
  if (places.length === 1) return [x.map(edges[0]!), x.map(edges[1]!)].map((at) => [at, y.map(values[0]!)]);
  const merged = block.members !== null;
  return Array.from(values, (value, i) => [
    x.map(merged ? (edges[i]! + edges[i + 1]!) / 2 : places[i]!),
    y.map(value),
  ]);
}

function trace(pen: Pen, picture: Picture, line: number): void {
  pen.beginPath();
  let down = false;
  for (const [x, y] of pointsOf(picture, line)) {
    if (Number.isNaN(y)) down = false;
    else if (down) pen.lineTo(x, y);
    else {
      pen.moveTo(x, y);
      down = true;
    }
  }
  pen.stroke();
}

/** A line at the edge if much of the mass is beyond it. */
function drawOutside(pen: Pen, { plot, block, edges, x, theme }: Picture): void {
  pen.fillStyle = theme.axisText;
  for (const [side, at] of [
    [block.above, plot.top - 4],
    [block.below, plot.bottom + 1],
  ] as const) {
    side.forEach((part, column) => {
      if (part < MARKED) return;
      const left = Math.max(plot.left, x.map(edges[column]!));
      const right = Math.min(plot.right, x.map(edges[column + 1]!));
      if (right > left) pen.fillRect(left, at, Math.max(1, right - left), 3);
    });
  }
}

// Percentiles

function drawBands(pen: Pen, picture: Picture): void {
  pen.fillStyle = picture.color;
  for (const [low, high, alpha] of BANDS) {
    pen.globalAlpha = alpha;
    fillBetween(pen, pointsOf(picture, low), pointsOf(picture, high));
  }
  pen.globalAlpha = 1;
  pen.strokeStyle = picture.color;
  pen.lineWidth = 1.75;
  pen.lineJoin = "round";
  pen.setLineDash([]);
  trace(pen, picture, MEDIAN);
}

/** Columns without mass interrupt the band. */
function fillBetween(pen: Pen, low: readonly [number, number][], high: readonly [number, number][]): void {
  let begin = 0;
  while (begin < low.length) {
    let end = begin;
    while (end < low.length && !Number.isNaN(low[end]![1]) && !Number.isNaN(high[end]![1])) end++;
    if (end > begin) {
      pen.beginPath();
      for (let i = begin; i < end; i++) (i === begin ? pen.moveTo : pen.lineTo).apply(pen, high[i]!);
      for (let i = end - 1; i >= begin; i--) pen.lineTo(...low[i]!);
      pen.closePath();
      pen.fill();
    }
    begin = end + 1;
  }
}

/** Labels the percentiles at the right, where the last column ends. */
function drawPercents(pen: Pen, picture: Picture): void {
  const { plot, theme } = picture;
  const shown = QUANTILES.flatMap((part, line) => {
    const last = pointsOf(picture, line).findLast(([, y]) => !Number.isNaN(y));
    return last && last[1] >= plot.top - 1 && last[1] <= plot.bottom + 1 ? [{ part, at: last[1] }] : [];
  }).reverse();
  const places = spread(
    shown.map(({ at }) => at),
    12,
    plot.top,
    plot.bottom,
  );
  pen.font = fontOf(theme, 10);
  pen.fillStyle = theme.axisText;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  shown.forEach(({ part }, i) => {
    if (places[i]! <= plot.bottom + 4)
      pen.fillText(`${Math.round(100 * part)} %`, plot.right + 6, places[i]!);
  });
}

// Curves

/** Indices of columns from the oldest, which is drawn first, to the newest. */
function drawCurves(pen: Pen, picture: Picture): void {
  const { theme, mode } = picture;
  const peak = peakOf(picture);
  for (let column = 0; column < picture.places.length; column++) {
    const color = ageColor(picture, column);
    if (mode === "offset") {
      traceCurve(pen, picture, column, peak);
      pen.fillStyle = color;
      pen.fill();
      pen.strokeStyle = theme.surface;
      pen.lineWidth = 1;
    } else {
      traceCurve(pen, picture, column, peak);
      pen.strokeStyle = color;
      pen.lineWidth = column === picture.places.length - 1 ? 2 : 1;
    }
    pen.lineJoin = "round";
    pen.setLineDash([]);
    pen.stroke();
  }
  pen.font = fontOf(theme, 10);
  pen.fillStyle = theme.axisText;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillText(picture.words.order, picture.plot.left, picture.plot.top);
}

export function ageColor({ colors, places }: Picture, column: number): string {
  const age = places.length > 1 ? column / (places.length - 1) : 1;
  return colors[Math.round((AGES[0] + (AGES[1] - AGES[0]) * age) * (SHADES - 1))]!;
}

/** Traces the curve of a column over its base line, closed. */
function traceCurve(pen: Pen, picture: Picture, column: number, peak: number): void {
  const { x, block, rows } = picture;
  const base = baseOf(picture, column);
  const step = (block.high - block.low) / rows;
  pen.beginPath();
  pen.moveTo(x.map(block.low), base);
  for (let row = 0; row < rows; row++) {
    const tall = heightOf(picture, column, row, peak);
    pen.lineTo(x.map(block.low + (row + 0.5) * step), base - tall);
  }
  pen.lineTo(x.map(block.high), base);
}

function heightOf({ block, rows, rise, log }: Picture, column: number, row: number, peak: number): number {
  return rise * heightAt(block.cells[column * rows + row]!, peak || 1, log);
}

/** The curve at a position: the front one of those that reach that high, otherwise the one with the nearest base. */
export function curveAt(picture: Picture, px: number, py: number): number {
  const { block, rows, x, places, mode } = picture;
  const peak = peakOf(picture);
  const value = x.invert(px);
  const row = Math.min(
    rows - 1,
    Math.max(0, Math.floor(((value - block.low) / (block.high - block.low)) * rows)),
  );
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let column = places.length - 1; column >= 0; column--) {
    const base = baseOf(picture, column);
    const line = base - heightOf(picture, column, row, peak);
    if (mode === "offset" && py <= base && py >= line) return column;
    const apart = Math.abs(py - line);
    if (apart < least) {
      least = apart;
      best = column;
    }
  }
  return best;
}

// Axes

function drawAxes(pen: Pen, picture: Picture): void {
  const { plot, size, theme, x, y, xTicks, yTicks, mode } = picture;
  pen.font = fontOf(theme);
  pen.fillStyle = theme.axisText;
  pen.textBaseline = "middle";
  const atRight = mode === "offset";
  pen.textAlign = atRight ? "left" : "right";
  yTicks.values.forEach((value, i) => {
    pen.fillText(yTicks.labels[i]!, atRight ? plot.right + 8 : plot.left - 8, y.map(value));
  });
  pen.textAlign = "left";
  xTicks.values.forEach((value, i) => {
    const label = xTicks.labels[i]!;
    const width = pen.measureText(label).width;
    const start = Math.min(x.map(value) - width / 2, size.width - 4 - width);
    pen.fillText(label, Math.max(2, start), plot.bottom + 12);
  });
}

// Over it

export interface CursorState {
  /** The column under the cursor or at the pinned step; −1 shows none. */
  column: number;
  /** The pointer is over this plot, over another one, or nowhere; then the step is the pinned or the last one. */
  how: "own" | "elsewhere" | "pinned" | "rest";
  /** Mass in equal cells of the histogram there; null until it has loaded. */
  profile: Float32Array | null;
}

export function drawCursor(pen: Pen, picture: Picture, moving: CursorState, pixelRatio: number): void {
  const { column, how } = moving;
  if (column < 0) return;
  if (isCurves(picture.mode)) {
    if (how !== "rest") drawFront(pen, picture, column);
    return;
  }
  if (how !== "rest") drawRule(pen, picture, column, moving, pixelRatio);
  if (picture.bars) drawBars(pen, picture, moving.profile);
}

function drawRule(pen: Pen, picture: Picture, column: number, { how }: CursorState, ratio: number): void {
  const { plot, theme, x, places, edges, block } = picture;
  const place = block.members ? (edges[column]! + edges[column + 1]!) / 2 : places[column]!;
  const at = sharp(Math.min(plot.right, Math.max(plot.left, x.map(place))), ratio);
  pen.strokeStyle = how === "pinned" ? theme.accent : theme.cursor;
  pen.lineWidth = 1;
  pen.setLineDash(how === "pinned" ? [] : how === "own" ? [4, 3] : [1, 3]);
  pen.beginPath();
  pen.moveTo(at, plot.top);
  pen.lineTo(at, plot.bottom);
  pen.stroke();
  pen.setLineDash([]);
}

/** Draws the histogram at the step sideways, along the same value axis. */
function drawBars(pen: Pen, { bars, color, theme, log }: Picture, profile: Float32Array | null): void {
  if (bars === null) return;
  pen.strokeStyle = theme.axis;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(bars.left - 0.5, bars.top);
  pen.lineTo(bars.left - 0.5, bars.bottom);
  pen.stroke();
  if (profile === null) return;
  const peak = profile.reduce((most, mass) => Math.max(most, mass), 0);
  const tall = (bars.bottom - bars.top) / profile.length;
  const wide = bars.right - bars.left;
  pen.fillStyle = color;
  pen.beginPath();
  pen.moveTo(bars.left, bars.bottom);
  profile.forEach((mass, row) => {
    const to = bars.left + wide * heightAt(mass, peak || 1, log);
    pen.lineTo(to, bars.bottom - row * tall);
    pen.lineTo(to, bars.bottom - (row + 1) * tall);
  });
  pen.lineTo(bars.left, bars.top);
  pen.closePath();
  pen.fill();
}

/** Draws one curve in front. */
function drawFront(pen: Pen, picture: Picture, column: number): void {
  const { theme, mode } = picture;
  traceCurve(pen, picture, column, peakOf(picture));
  if (mode === "offset") {
    pen.globalAlpha = 0.85;
    pen.fillStyle = theme.surface;
    pen.fill();
    pen.globalAlpha = 0.35;
    pen.fillStyle = picture.color;
    pen.fill();
    pen.globalAlpha = 1;
  }
  pen.strokeStyle = theme.text;
  pen.lineWidth = 1.75;
  pen.lineJoin = "round";
  pen.setLineDash([]);
  pen.stroke();
}
