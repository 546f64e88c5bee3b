/**
 * The ranges of the axes. y starts at the data, not at zero. With outliers ignored it spans the 5th to the 95th
 * percentile of the view, as in TensorBoard, plus values that cost little height; values outside are counted.
 */

import { selectNth } from "../lib/select-nth";

export type Range = [number, number];

const PADDING = 0.05;
/**
 * Padding of a flat line, as a share of its value: it is drawn in the middle, with a range small enough to read the
 * value.
 */
const LONE_PADDING = 0.05;
/** The least padding: ticks of a smaller range would not be distinct numbers. */
const LEAST_ROOM = 1e-300;
/**
 * Values up to this many heights beyond the percentiles are included; 0 would be TensorBoard's rule. The start of a
 * loss curve and the edges of noise stay in view, and values that would flatten the rest are still cut off.
 */
const SLACK = 2;
/** Above this the width of a range would be infinite. */
const LIMIT = 8e307;

/** The smallest and largest finite value; null if there is none. */
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

/** The smallest range that contains both; null is empty. */
export function union(a: Range | null, b: Range | null): Range | null {
  if (a === null || b === null) return a ?? b;
  return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
}

/** The range of x to show: that of the data; around a single x, `room` on either side. */
export function xDomain(data: Range | null, room = 0.5): Range {
  if (data === null) return [0, 1];
  const [min, max] = data;
  if (max - min > Math.abs(max) * 1e-13) return [min, max];
  const enough = Math.max(room, Math.abs(max) * 1e-9);
  return [min - enough, max + enough];
}

/**
 * The range between the sorted values at ceil(0.05(n−1)) and floor(0.95(n−1)); of all values if n <= 2.
 * `values[0..n)` must be finite and are reordered. Null if n is 0.
 */
export function robustExtent(values: Float64Array, n = values.length): Range | null {
  if (n <= 2) return extent(values, n);
  const low = selectNth(values, Math.ceil(0.05 * (n - 1)), n);
  const high = selectNth(values, Math.floor(0.95 * (n - 1)), n);
  return [low, high];
}

/**
 * The robust extent, extended on each side to the outermost value at most two heights beyond it: curves keep their
 * ends and noise its edges, while spikes are cut off. If nearly all values are equal nothing is cut off, as a flat
 * line cannot be flattened. `values[0..n)` as above; positive if `log`.
 */
export function relaxedExtent(values: Float64Array, n: number, log: boolean): Range | null {
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

/** The share of a line that may be cut off above and below together; noise would otherwise lose its edges. */
const MAX_CUT = 0.01;

/**
 * The range that a line needs if a range would cut it off on both sides; null if it leaves the range on one side
 * only, as a spike or a start does, or hardly at all. `values[0..n)` as above.
 */
export function neededExtent(values: Float64Array, n: number, range: Range): Range | null {
  const { above, below } = countOutside(values, range, n);
  if (above === 0 || below === 0 || above + below <= MAX_CUT * n) return null;
  const side = Math.floor((MAX_CUT / 2) * n);
  return [selectNth(values, side, n), selectNth(values, n - 1 - side, n)];
}

/** Adds 5 % of the drawn height above and below; a flat range gets a height. */
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

/** The number of `values[0..n)` above and below a range. */
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
