/**
 * The ranges of a chart's axes. y starts at the data, not at zero. With outliers ignored it spans the 5th to
 * the 95th percentile of what is in view, by TensorBoard's rule, and what costs little height besides; what
 * lies beyond is counted.
 */

import { selectNth } from "../base/order";

export type Range = [number, number];

const PADDING = 0.05;
/** What has no height is shown with this part of its value above and below: in the middle, and near enough to tell. */
const LONE_PADDING = 0.05;
/** Values nearer to zero than this have no range of their own: ticks in it would be no numbers. */
const LEAST_ROOM = 1e-300;
/**
 * Values no more than so many heights beyond the percentiles are shown; 0 is TensorBoard's rule. The start of a loss
 * curve and the edges of noise then stay in view, and what would press the rest flat is still cut.
 */
const SLACK = 2;
/** Beyond this the width of a range is no longer a finite number. */
const LIMIT = 8e307;

/** Smallest and largest finite value; null if there is none. */
export function extent(values: ArrayLike<number>, n = values.length): Range | null {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < n; i++) {
    const value = values[i]!;
    if (value - value !== 0) continue;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return least <= most ? [least, most] : null;
}

/** The smallest range holding both; null is nothing. */
export function union(a: Range | null, b: Range | null): Range | null {
  if (a === null || b === null) return a ?? b;
  return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
}

/** x as it is shown: what the data spans; around a single x `room` on either side. */
export function xDomain(data: Range | null, room = 0.5): Range {
  if (data === null) return [0, 1];
  const [min, max] = data;
  if (max - min > Math.abs(max) * 1e-13) return [min, max];
  const enough = Math.max(room, Math.abs(max) * 1e-9);
  return [min - enough, max + enough];
}

/**
 * Values between the sorted ones at ceil(0.05(n−1)) and floor(0.95(n−1)); all of them if n <= 2.
 * `values[0..n)` must be finite and are reordered. Null if n is 0.
 */
export function robustExtent(values: Float64Array, n = values.length): Range | null {
  if (n <= 2) return extent(values, n);
  const low = selectNth(values, Math.ceil(0.05 * (n - 1)), n);
  const high = selectNth(values, Math.floor(0.95 * (n - 1)), n);
  return [low, high];
}

/**
 * The robust extent, grown on each side to the outermost value that lies no more than two heights beyond it: a curve
 * keeps its ends and noise its edges, a spike is cut. Where nearly all is one value nothing is cut, as a flat line
 * cannot be pressed flat. `values[0..n)` as above; positive if `log`.
 */
export function calmExtent(values: Float64Array, n: number, log: boolean): Range | null {
  const all = extent(values, n);
  const robust = robustExtent(values, n);
  if (all === null || robust === null || n <= 3 || robust[0] === robust[1]) return all;
  const [low, high] = fences(robust, log);
  let [least, most] = robust;
  for (let i = 0; i < n; i++) {
    const value = values[i]!;
    if (value < least && value >= low) least = value;
    else if (value > most && value <= high) most = value;
  }
  return [least, most];
}

function fences([low, high]: Range, log: boolean): Range {
  if (log) return [low / (high / low) ** SLACK, high * (high / low) ** SLACK];
  return [low - SLACK * (high - low), high + SLACK * (high - low)];
}

/** Part of a line that may be cut off above and below together: a line cut more than that is noise without its edges. */
const MOST_CUT = 0.01;

/**
 * What a line needs to be seen where a range would cut it on both sides: null where it leaves the range on one side, as
 * a spike or a start does, or hardly at all. `values[0..n)` as above.
 */
export function neededExtent(values: Float64Array, n: number, range: Range): Range | null {
  const { above, below } = countOutside(values, range, n);
  if (above === 0 || below === 0 || above + below <= MOST_CUT * n) return null;
  const side = Math.floor((MOST_CUT / 2) * n);
  return [selectNth(values, side, n), selectNth(values, n - 1 - side, n)];
}

/** Room above and below, 5 % of the height each as drawn; a range for what has no height. */
export function padded(range: Range | null, log: boolean): Range {
  if (range === null) return log ? [0.1, 10] : [0, 1];
  return log ? paddedLog(range) : paddedLinear(range);
}

function paddedLinear(range: Range): Range {
  const min = Math.max(range[0], -LIMIT);
  const max = Math.min(range[1], LIMIT);
  const span = max - min;
  const size = Math.max(Math.abs(min), Math.abs(max));
  if (span > size * 1e-12) return [min - span * PADDING, max + span * PADDING];
  if (size === 0) return [-1, 1];
  const room = Math.max(size * LONE_PADDING, LEAST_ROOM);
  return [min - room, max + room];
}

function paddedLog(range: Range): Range {
  const min = Math.log10(range[0]);
  const max = Math.log10(range[1]);
  const room = max - min > 1e-12 ? (max - min) * PADDING : 0.5;
  return [Math.max(10 ** (min - room), Number.MIN_VALUE), Math.min(10 ** (max + room), Number.MAX_VALUE)];
}

/** How many of `values[0..n)` lie above and below a range. */
export function countOutside(
  values: Float64Array,
  range: Range,
  n = values.length,
): { above: number; below: number } {
  let above = 0;
  let below = 0;
  for (let i = 0; i < n; i++) {
    if (values[i]! > range[1]) above++;
    else if (values[i]! < range[0]) below++;
  }
  return { above, below };
}
