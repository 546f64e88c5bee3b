/** Finds points on the screen: the nearest to a position, with a grid of cells, and all within a line. Pure. */

import type { ScreenPositions } from "./camera";
import { HIDDEN } from "./splat";

const CELL_PX = 16;

/** The visible points by grid cell. Built once for each picture that is hit-tested. */
export class Grid {
  readonly #places: ScreenPositions;
  readonly #across: number;
  readonly #down: number;
  /** The index in `rows` at which each cell begins. */
  readonly #begins: Uint32Array;
  readonly #rows: Uint32Array;

  constructor(places: ScreenPositions, states: Uint8Array, width: number, height: number) {
    this.#places = places;
    this.#across = Math.max(1, Math.ceil(width / CELL_PX));
    this.#down = Math.max(1, Math.ceil(height / CELL_PX));
    const begins = new Uint32Array(this.#across * this.#down + 1);
    const cells = new Int32Array(places.count);
    let inside = 0;
    for (let row = 0; row < places.count; row++) {
      const cell = states[row] === HIDDEN ? -1 : this.#cellAt(places.x[row]!, places.y[row]!);
      cells[row] = cell;
      if (cell < 0) continue;
      begins[cell + 1]! += 1;
      inside += 1;
    }
    for (let cell = 1; cell < begins.length; cell++) begins[cell]! += begins[cell - 1]!;
    const rows = new Uint32Array(inside);
    const next = begins.slice();
    for (let row = 0; row < places.count; row++) {
      const cell = cells[row]!;
      if (cell >= 0) rows[next[cell]!++] = row;
    }
    this.#begins = begins;
    this.#rows = rows;
  }

  /** The row nearest to a position, at most `within` pixels away; of equals the one closest to the eye. -1 if none. */
  nearest(x: number, y: number, within: number): number {
    const { x: xs, y: ys, far } = this.#places;
    let found = -1;
    let best = within * within;
    const [left, right] = [this.#column(x - within), this.#column(x + within)];
    const [top, bottom] = [this.#line(y - within), this.#line(y + within)];
    for (let line = top; line <= bottom; line++) {
      const [from, to] = [line * this.#across + left, line * this.#across + right];
      for (let at = this.#begins[from]!; at < this.#begins[to + 1]!; at++) {
        const row = this.#rows[at]!;
        const distance = (xs[row]! - x) ** 2 + (ys[row]! - y) ** 2;
        if (distance > best || (distance === best && found >= 0 && far[row]! >= far[found]!)) continue;
        best = distance;
        found = row;
      }
    }
    return found;
  }

  #cellAt(x: number, y: number): number {
    const [column, line] = [Math.floor(x / CELL_PX), Math.floor(y / CELL_PX)];
    const inside = column >= 0 && line >= 0 && column < this.#across && line < this.#down;
    return inside ? line * this.#across + column : -1;
  }

  #column(x: number): number {
    return Math.min(this.#across - 1, Math.max(0, Math.floor(x / CELL_PX)));
  }

  #line(y: number): number {
    return Math.min(this.#down - 1, Math.max(0, Math.floor(y / CELL_PX)));
  }
}

/** Rows within a closed line of x, y pairs, in order; a row on its edge may be in or out. */
export function rowsInside(
  places: ScreenPositions,
  states: Uint8Array,
  line: ArrayLike<number>,
): Uint32Array {
  const [left, top, right, bottom] = boxOf(line);
  const rows: number[] = [];
  for (let row = 0; row < places.count; row++) {
    if (states[row] === HIDDEN) continue;
    const [x, y] = [places.x[row]!, places.y[row]!];
    if (x >= left && x <= right && y >= top && y <= bottom && isInside(line, x, y)) rows.push(row);
  }
  return Uint32Array.from(rows);
}

function boxOf(line: ArrayLike<number>): [number, number, number, number] {
  let [left, top] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [right, bottom] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at + 1 < line.length; at += 2) {
    left = Math.min(left, line[at]!);
    right = Math.max(right, line[at]!);
    top = Math.min(top, line[at + 1]!);
    bottom = Math.max(bottom, line[at + 1]!);
  }
  return [left, top, right, bottom];
}

/** Whether a ray to the right crosses the line an odd number of times. */
function isInside(line: ArrayLike<number>, x: number, y: number): boolean {
  let inside = false;
  for (let at = 0, before = line.length - 2; at + 1 < line.length; before = at, at += 2) {
    const [x1, y1, x2, y2] = [line[before]!, line[before + 1]!, line[at]!, line[at + 1]!];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
}
