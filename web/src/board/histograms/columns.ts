/** Positions of the columns of a run on the horizontal axis, and hit tests. Pure. */

import type { Axis } from "../view/view-state";
import type { HistogramBlock } from "./histograms";

/** Histograms are at steps and times; another tag cannot be their axis. */
export type ColumnAxis = Exclude<Axis, "tag">;

export function columnAxis(axis: Axis): ColumnAxis {
  return axis === "tag" ? "step" : axis;
}

/** x of each column: a step, seconds since the run's first value, or epoch seconds. */
export function placesOf(block: HistogramBlock, axis: ColumnAxis): Float64Array {
  if (axis === "step") return block.steps;
  return axis === "wall" ? block.walls : block.walls.map((wall) => wall - block.firstWall);
}

const LONE_HALF: Record<ColumnAxis, number> = { step: 0.5, relative: 5, wall: 30 };

/**
 * The edges of columns, one more than there are columns: halfway between neighbours. Columns of several steps begin
 * at their first one.
 */
export function edgesOf(block: HistogramBlock, axis: ColumnAxis): Float64Array {
  const places = placesOf(block, axis);
  const count = places.length;
  const edges = new Float64Array(count + 1);
  if (count === 0) return edges;
  const merged = block.members !== null;
  for (let i = 1; i < count; i++) edges[i] = merged ? places[i]! : (places[i - 1]! + places[i]!) / 2;
  const half = LONE_HALF[axis];
  edges[0] = merged || count === 1 ? places[0]! - (merged ? 0 : half) : 2 * places[0]! - edges[1]!;
  const last = places[count - 1]!;
  if (count === 1) edges[count] = last + (merged ? 2 * half : half);
  else edges[count] = 2 * last - (merged ? places[count - 2]! : edges[count - 1]!);
  return edges;
}

/**
 * From the first column to the end of the last, over several runs; null without columns. Curves (`tight`) have no
 * width.
 */
export function spanOf(
  blocks: readonly HistogramBlock[],
  axis: ColumnAxis,
  tight: boolean,
): [number, number] | null {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const block of blocks) {
    const ends = tight ? placesOf(block, axis) : block.steps.length > 0 ? edgesOf(block, axis) : [];
    for (const edge of ends) {
      low = Math.min(low, edge);
      high = Math.max(high, edge);
    }
  }
  if (low === high) return [low - 2 * LONE_HALF[axis], high];
  return low < high ? [low, high] : null;
}

/** The column at x, or the nearest; −1 without columns. */
export function columnAt(edges: Float64Array, x: number): number {
  const count = edges.length - 1;
  if (count < 1) return -1;
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x >= edges[middle + 1]!) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The column that contains a step, or the nearest; the last for null. −1 without columns. */
export function columnOf(block: HistogramBlock, step: number | null): number {
  const { steps, lastSteps } = block;
  if (step === null) return steps.length - 1;
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < steps.length; i++) {
    const first = steps[i]!;
    const last = lastSteps?.[i] ?? first;
    const apart = step < first ? first - step : step > last ? step - last : 0;
    if (apart <= least) {
      least = apart;
      best = i;
    }
  }
  return best;
}

/** The average share of the height between two quantiles. */
export function filledShare({ lines, low, high }: HistogramBlock, from: number, to: number): number {
  let sum = 0;
  let count = 0;
  const clip = (value: number) => Math.min(high, Math.max(low, value));
  for (let i = 0; i < lines[from]!.length; i++) {
    const [a, b] = [lines[from]![i]!, lines[to]![i]!];
    if (Number.isNaN(a) || Number.isNaN(b)) continue;
    sum += (clip(b) - clip(a)) / (high - low);
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}
