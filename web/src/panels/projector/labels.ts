/**
 * Which points bear a label, and where it stands: a few for each part of the screen, always the same ones while the
 * picture moves, and no label over another. Pure.
 */

import type { Places } from "./camera";
import { CHOSEN, HIDDEN } from "./splat";

/** A point that may have a label. */
export interface Candidate {
  row: number;
  x: number;
  y: number;
}

export interface PlacedLabel extends Candidate {
  /** Left end of the text, and its middle line. */
  left: number;
  middle: number;
}

export interface Cell {
  width: number;
  height: number;
}

/**
 * One row of each cell of a grid that lies on the points, not on the screen: chosen rows first, else the one of the
 * least rank. `from` is where the origin of the points stands on the screen.
 */
export function thinned(
  places: Places,
  states: Uint8Array,
  cell: Cell,
  from: { x: number; y: number },
  size: { width: number; height: number },
): Candidate[] {
  const best = new Map<string, number>();
  for (let row = 0; row < places.count; row++) {
    if (states[row] === HIDDEN) continue;
    const [x, y] = [places.x[row]!, places.y[row]!];
    if (!(x >= 0 && y >= 0 && x < size.width && y < size.height)) continue;
    const key = `${Math.floor((x - from.x) / cell.width)},${Math.floor((y - from.y) / cell.height)}`;
    const was = best.get(key);
    if (was === undefined || rankOf(row, states) < rankOf(was, states)) best.set(key, row);
  }
  return [...best.values()]
    .toSorted((a, b) => rankOf(a, states) - rankOf(b, states))
    .map((row) => ({ row, x: places.x[row]!, y: places.y[row]! }));
}

const RANKS = 2 ** 32;

/** Chosen rows come before others; else a number that mixes rows and stays with each. */
function rankOf(row: number, states: Uint8Array): number {
  return (states[row] === CHOSEN ? 0 : RANKS) + (Math.imul(row + 1, 0x9e3779b1) >>> 0);
}

/** Room between a point and its label, and around labels. */
const GAP_PX = 6;
const AIR_PX = 2;
export const LABEL_PX = 14;

/** Places labels in order, each beside its point where nothing stands yet: right, left, above, below; else not at all. */
export function placed(
  candidates: readonly Candidate[],
  widthOf: (row: number) => number,
  size: { width: number; height: number },
): PlacedLabel[] {
  const taken = new Taken();
  const labels: PlacedLabel[] = [];
  for (const candidate of candidates) {
    const width = widthOf(candidate.row);
    if (width <= 0) continue;
    const { x, y } = candidate;
    const ways = [
      [x + GAP_PX, y],
      [x - GAP_PX - width, y],
      [x - width / 2, y - LABEL_PX],
      [x - width / 2, y + LABEL_PX],
    ] as const;
    const free = ways.find(([left, middle]) => {
      const inside =
        left >= 0 &&
        left + width <= size.width &&
        middle >= LABEL_PX / 2 &&
        middle + LABEL_PX / 2 <= size.height;
      return inside && taken.take(left - AIR_PX, middle - LABEL_PX / 2, width + 2 * AIR_PX, LABEL_PX);
    });
    if (free) labels.push({ ...candidate, left: free[0], middle: free[1] });
  }
  return labels;
}

/** Those of the candidates, in order, whose squares of `side` around them meet no other. */
export function apart(candidates: readonly Candidate[], side: number): Candidate[] {
  const taken = new Taken();
  return candidates.filter(({ x, y }) => taken.take(x - side / 2, y - side / 2, side, side));
}

/** Rectangles that stand already, by lines of the screen. */
class Taken {
  readonly #lines = new Map<number, [left: number, top: number, right: number, bottom: number][]>();

  /** Takes a rectangle, or returns false where one stands. */
  take(left: number, top: number, width: number, height: number): boolean {
    const [right, bottom] = [left + width, top + height];
    const [first, last] = [Math.floor(top / LABEL_PX), Math.floor(bottom / LABEL_PX)];
    for (let line = first; line <= last; line++) {
      for (const box of this.#lines.get(line) ?? []) {
        if (left < box[2] && right > box[0] && top < box[3] && bottom > box[1]) return false;
      }
    }
    for (let line = first; line <= last; line++) {
      const boxes = this.#lines.get(line) ?? [];
      boxes.push([left, top, right, bottom]);
      this.#lines.set(line, boxes);
    }
    return true;
  }
}
