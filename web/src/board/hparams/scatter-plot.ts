/** A scatter plot matrix on one canvas: layout, hit tests, drawing. Knows no component. Lengths are in CSS pixels. */

import type { Cell } from "../runs/column";
import type { Scale } from "./scales";

export interface Axis {
  cells: readonly Cell[];
  scale: Scale;
}

export interface Grid {
  left: number;
  top: number;
  /** Size of one plot with its frame. */
  width: number;
  height: number;
  columns: number;
  rows: number;
}

/** Between the frame of a plot and its points. */
const INSET_PX = 8;
const GAP_PX = 8;
const NEAR_PX = 8;
const RADIUS_PX = 3;

export interface Plot {
  column: number;
  row: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The frame of a plot. */
export function frame({ left, top, width, height }: Grid, column: number, row: number): Plot {
  const [x, y] = [left + column * width, top + row * height];
  return { column, row, left: x, top: y, right: x + width - GAP_PX, bottom: y + height - GAP_PX };
}

/** The plot at a point; null between them. */
export function plotAt(grid: Grid, x: number, y: number): Plot | null {
  const column = Math.floor((x - grid.left) / grid.width);
  const row = Math.floor((y - grid.top) / grid.height);
  if (column < 0 || row < 0 || column >= grid.columns || row >= grid.rows) return null;
  const plot = frame(grid, column, row);
  return x <= plot.right && y <= plot.bottom ? plot : null;
}

/** The pixel of a position of an axis in a plot. */
export const xOf = ({ left, right }: Plot, place: number) =>
  left + INSET_PX + place * (right - left - 2 * INSET_PX);
export const yOf = ({ top, bottom }: Plot, place: number) =>
  bottom - INSET_PX - place * (bottom - top - 2 * INSET_PX);
export const placeX = ({ left, right }: Plot, x: number) =>
  (x - left - INSET_PX) / (right - left - 2 * INSET_PX);
export const placeY = ({ top, bottom }: Plot, y: number) =>
  (bottom - INSET_PX - y) / (bottom - top - 2 * INSET_PX);

/** Positions of all rows on one axis; NaN if there is none. */
export function placesOf({ cells, scale }: Axis, rows: number): Float32Array {
  const places = new Float32Array(rows);
  for (let row = 0; row < rows; row++) places[row] = scale.place(cells[row] ?? null) ?? Number.NaN;
  return places;
}

/** The row nearest to a point of a plot; −1 if none is near. */
export function pointAt(
  plot: Plot,
  xs: Float32Array,
  ys: Float32Array,
  rows: readonly number[],
  x: number,
  y: number,
): number {
  let best = -1;
  let least = NEAR_PX;
  for (const row of rows) {
    const apart = Math.hypot(xOf(plot, xs[row]!) - x, yOf(plot, ys[row]!) - y);
    if (apart < least) [least, best] = [apart, row];
  }
  return best;
}

/** Draws the points of one plot: filtered ones faintly, then the others, with the top of the table on top. */
export function drawPoints(
  pen: CanvasRenderingContext2D,
  plot: Plot,
  xs: Float32Array,
  ys: Float32Array,
  rows: number,
  filteredRows: readonly number[],
  ink: { faint: string; colors: readonly string[] },
): void {
  const radius = filteredRows.length > 1000 ? 2 : RADIUS_PX;
  if (filteredRows.length < rows) {
    const on = new Set(filteredRows);
    pen.fillStyle = ink.faint;
    for (let row = 0; row < rows; row++) if (!on.has(row)) dot(pen, plot, xs[row]!, ys[row]!, radius - 1);
  }
  pen.globalAlpha = filteredRows.length > 400 ? 0.6 : 0.9;
  for (const row of filteredRows.toReversed()) {
    pen.fillStyle = ink.colors[row]!;
    dot(pen, plot, xs[row]!, ys[row]!, radius);
  }
  pen.globalAlpha = 1;
}

/** Draws one point in front. */
export function drawPoint(
  pen: CanvasRenderingContext2D,
  plot: Plot,
  place: readonly [number, number],
  color: string,
  rim: string,
): void {
  pen.fillStyle = rim;
  dot(pen, plot, ...place, RADIUS_PX + 4);
  pen.fillStyle = color;
  dot(pen, plot, ...place, RADIUS_PX + 2);
}

function dot(pen: CanvasRenderingContext2D, plot: Plot, x: number, y: number, radius: number): void {
  if (Number.isNaN(x) || Number.isNaN(y)) return;
  pen.beginPath();
  pen.arc(xOf(plot, x), yOf(plot, y), radius, 0, 2 * Math.PI);
  pen.fill();
}
