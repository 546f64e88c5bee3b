/** Curves of memory as points of a chart. Pure. */

import type { MemoryCurve } from "../../api/profiles";

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** The unit in which the largest of some sizes is read best. */
export function unitOf(largest: number): { name: string; size: number } {
  const power = largest >= 1000 ? Math.min(UNITS.length - 1, Math.floor(Math.log10(largest) / 3)) : 0;
  return { name: UNITS[power]!, size: 1000 ** power };
}

/** A curve that holds its value until the next moment, as corners of a line: seconds and units. */
export function stepsOf(
  times: readonly number[],
  sizes: readonly number[],
  unit: number,
): { x: Float64Array; y: Float64Array } {
  const count = Math.max(0, 2 * times.length - 1);
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  times.forEach((time, at) => {
    x[2 * at] = time / 1e6;
    y[2 * at] = sizes[at]! / unit;
    if (at === 0) return;
    x[2 * at - 1] = time / 1e6;
    y[2 * at - 1] = sizes[at - 1]! / unit;
  });
  return { x, y };
}

/** The last moment that is not after this time, by its index; null before the first one. */
export function momentAt({ time_us }: MemoryCurve, time: number): number | null {
  let [low, high] = [0, time_us.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (time_us[middle]! <= time + 1e-3) low = middle + 1;
    else high = middle;
  }
  return low > 0 ? low - 1 : null;
}
