/**
 * Parallel coordinates on a canvas: layout, hit tests, drawing. Knows no component; a line is a row, an axis a
 * column. Lengths are in CSS pixels.
 */

import type { Cell } from "../runs/column";
import type { Scale } from "./scales";

export interface Box {
  /** Of the axes. */
  top: number;
  bottom: number;
  /** x of each axis. */
  axes: readonly number[];
}

/** Height below the axis for missing values. */
export const MISSING_PX = 16;
const NEAR_PX = 8;

/** y of every row on every axis, row by row. */
export function layLines(
  columns: readonly { cells: readonly Cell[]; scale: Scale }[],
  rows: number,
  { top, bottom }: Box,
): Float32Array {
  const ys = new Float32Array(rows * columns.length);
  columns.forEach(({ cells, scale }, axis) => {
    for (let row = 0; row < rows; row++) {
      const place = scale.place(cells[row] ?? null);
      ys[row * columns.length + axis] =
        place === null ? bottom + MISSING_PX : bottom - place * (bottom - top);
    }
  });
  return ys;
}

/** The row whose line is nearest to a point; −1 if none is near. */
export function lineAt(
  ys: Float32Array,
  rows: readonly number[],
  { axes }: Box,
  x: number,
  y: number,
): number {
  const count = axes.length;
  const left = axes.findLastIndex((at) => at <= x);
  if (count === 0 || (left < 0 && axes[0]! - x > NEAR_PX)) return -1;
  const from = Math.max(0, Math.min(left, count - 2));
  const to = Math.min(from + 1, count - 1);
  if (x - axes[to]! > NEAR_PX) return -1;
  const width = axes[to]! - axes[from]!;
  const part = width > 0 ? Math.min(1, Math.max(0, (x - axes[from]!) / width)) : 0;
  let best = -1;
  let least = NEAR_PX;
  for (const row of rows) {
    const [a, b] = [ys[row * count + from]!, ys[row * count + to]!];
    // The distance to a steep line is shorter than the vertical one.
    const steep = width > 0 ? Math.hypot(1, (b - a) / width) : 1;
    const apart = Math.abs(a + (b - a) * part - y) / steep;
    if (apart < least) [least, best] = [apart, row];
  }
  return best;
}

export interface Ink {
  /** Colour of lines that are filtered out. */
  faint: string;
  /** Colours by row. */
  colors: readonly string[];
}

/** Draws the filtered lines faintly below the others. */
export function drawLines(
  pen: CanvasRenderingContext2D,
  ys: Float32Array,
  rows: number,
  filteredRows: readonly number[],
  { axes }: Box,
  { faint, colors }: Ink,
): void {
  const on = new Uint8Array(rows);
  for (const row of filteredRows) on[row] = 1;
  pen.lineJoin = "round";
  if (filteredRows.length < rows) {
    pen.strokeStyle = faint;
    pen.lineWidth = 1;
    pen.globalAlpha = 0.6;
    pen.beginPath();
    for (let row = 0; row < rows; row++) if (on[row] === 0) trace(pen, ys, row, axes);
    pen.stroke();
  }
  pen.globalAlpha = alphaOf(filteredRows.length);
  pen.lineWidth = filteredRows.length > 200 ? 1 : 1.5;
  // From last to first, so that the top of the table is on top.
  for (const row of filteredRows.toReversed()) {
    pen.strokeStyle = colors[row]!;
    pen.beginPath();
    trace(pen, ys, row, axes);
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

/** Many lines are drawn translucent. */
function alphaOf(lines: number): number {
  return lines <= 60 ? 0.9 : lines <= 400 ? 0.6 : lines <= 2000 ? 0.4 : 0.2;
}

/** The highlighted line, with an outline that separates it from the others. */
export function drawFront(
  pen: CanvasRenderingContext2D,
  ys: Float32Array,
  row: number,
  { axes }: Box,
  color: string,
  rim: string,
): void {
  pen.lineJoin = "round";
  for (const [style, width] of [
    [rim, 6],
    [color, 3],
  ] as const) {
    pen.strokeStyle = style;
    pen.lineWidth = width;
    pen.beginPath();
    trace(pen, ys, row, axes);
    pen.stroke();
  }
}

function trace(pen: CanvasRenderingContext2D, ys: Float32Array, row: number, axes: readonly number[]): void {
  const count = axes.length;
  for (let axis = 0; axis < count; axis++) {
    const y = ys[row * count + axis]!;
    if (axis === 0) {
      pen.moveTo(axes[0]!, y);
      if (count === 1) pen.lineTo(axes[0]! + 6, y);
    } else pen.lineTo(axes[axis]!, y);
  }
}
