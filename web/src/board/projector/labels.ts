/**
 * Chooses which points have labels, and where: a few per part of the screen, stable while the picture moves, without
 * overlaps. Pure.
 */

import type { ScreenPositions } from "./camera";
import { CHOSEN, HIDDEN } from "./splat";

/** A candidate for a label. */
export interface Candidate {
  row: number;
  x: number;
  y: number;
}

export interface PlacedLabel extends Candidate {
  /** Left edge of the text, and its vertical middle. */
  left: number;
  middle: number;
}

export interface Cell {
  width: number;
  height: number;
}

/**
 * One row per cell of a grid that is fixed to the points rather than to the screen: selected rows first, otherwise
 * the one of the lowest rank. `from` is the origin of the points on the screen.
 */
export function labelCandidates(
  places: ScreenPositions,
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

/** Selected rows come first; the others have a stable pseudo-random rank. */
function rankOf(row: number, states: Uint8Array): number {
  return (states[row] === CHOSEN ? 0 : RANKS) + (Math.imul(row + 1, 0x9e3779b1) >>> 0);
}

/** Gap between a point and its label, and around labels. */
const GAP_PX = 6;
const AIR_PX = 2;
export const LABEL_PX = 14;

/**
 * Places labels in order, each beside its point where there is room: right, left, above, below; otherwise not at all.
 */
export function placeLabels(
  candidates: readonly Candidate[],
  widthOf: (row: number) => number,
  size: { width: number; height: number },
): PlacedLabel[] {
  const occupied = new OccupiedAreas();
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
      return inside && occupied.claim(left - AIR_PX, middle - LABEL_PX / 2, width + 2 * AIR_PX, LABEL_PX);
    });
    if (free) labels.push({ ...candidate, left: free[0], middle: free[1] });
  }
  return labels;
}

/** The candidates, in order, whose surrounding squares of `side` do not overlap. */
export function spreadCandidates(candidates: readonly Candidate[], side: number): Candidate[] {
  const occupied = new OccupiedAreas();
  return candidates.filter(({ x, y }) => occupied.claim(x - side / 2, y - side / 2, side, side));
}

/** Occupied rectangles, indexed by lines of the screen. */
class OccupiedAreas {
  readonly #lines = new Map<number, [left: number, top: number, right: number, bottom: number][]>();

  /** Claims a rectangle, or returns false if it is occupied. */
  claim(left: number, top: number, width: number, height: number): boolean {
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

/** Thumbnails of all rows in one large image. */
export interface Tiles {
  image: CanvasImageSource;
  width: number;
  height: number;
  /** Thumbnails per line. */
  across: number;
}

/** What is shown beside points: texts, thumbnails, or nothing except for marked points. */
export interface Labelling {
  marks: "points" | "labels" | "images";
  /** Null while it loads; `refresh` is called afterwards. */
  textOf(row: number): string | null;
  tiles: Tiles | null;
}
