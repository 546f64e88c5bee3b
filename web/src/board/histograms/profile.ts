/** Converts a histogram with all its buckets to the mass in equal cells of a range. Pure. */

import type { HistogramResponse } from "./histograms";

export interface Bucket {
  left: number;
  right: number;
  count: number;
}

/** Numbers that JSON cannot express are strings. */
export function bucketsOf({ buckets }: Pick<HistogramResponse, "buckets">): Bucket[] {
  return buckets.map(([left, right, count]) => ({
    left: Number(left),
    right: Number(right),
    count: Number(count),
  }));
}

/** Whether a bucket has a count and finite edges. */
function isSolid({ left, right, count }: Bucket): boolean {
  return Number.isFinite(left) && Number.isFinite(right) && Number.isFinite(count) && count > 0;
}

export function totalOf(buckets: readonly Bucket[]): number {
  return buckets.filter(isSolid).reduce((sum, { count }) => sum + count, 0);
}

/**
 * The share of the mass in each of `rows` cells, from low to high; a bucket without width belongs to the cell at its
 * value.
 */
export function profileOf(buckets: readonly Bucket[], low: number, high: number, rows: number): Float32Array {
  const cells = new Float32Array(rows);
  const total = totalOf(buckets);
  const scale = rows / (high - low);
  for (const bucket of buckets) {
    if (!isSolid(bucket)) continue;
    const mass = bucket.count / total;
    const from = (Math.min(bucket.left, bucket.right) - low) * scale;
    const to = (Math.max(bucket.left, bucket.right) - low) * scale;
    if (to <= from) {
      const at = Math.min(rows - 1, Math.floor(from));
      if (from >= 0 && from <= rows) cells[at] = cells[at]! + mass;
      continue;
    }
    const end = Math.min(rows, Math.ceil(to));
    for (let at = Math.max(0, Math.floor(from)); at < end; at++) {
      const inside = Math.min(to, at + 1) - Math.max(from, at);
      if (inside > 0) cells[at] = cells[at]! + (mass * inside) / (to - from);
    }
  }
  return cells;
}

/** The bucket at a value; the upper one at a shared edge. Null between and outside buckets. */
export function bucketAt(buckets: readonly Bucket[], value: number): Bucket | null {
  let found: Bucket | null = null;
  for (const bucket of buckets) if (bucket.left <= value && value <= bucket.right) found = bucket;
  return found;
}
