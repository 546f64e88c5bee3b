/**
 * Downsamples a line that is denser than the pixels: the first, lowest, highest and last point of each pixel column
 * are kept, in order. Drawn with columns of 1 px, the result looks like all points.
 */

/**
 * Keeps at most four points of each column of [from, to). x must not decrease there and y must be finite. The column
 * of a point is floor((x − origin) × columnsPerUnit). Writes the kept indices, ascending and without repeats, to
 * `kept` (which needs room for `to - from`) and returns their number.
 */
export function downsampleColumns(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  from: number,
  to: number,
  origin: number,
  columnsPerUnit: number,
  kept: Uint32Array,
): number {
  let count = 0;
  let i = from;
  while (i < to) {
    const column = Math.floor((x[i]! - origin) * columnsPerUnit);
    const first = i;
    let low = i;
    let high = i;
    let least = y[i]!;
    let most = least;
    for (i++; i < to && (x[i]! - origin) * columnsPerUnit < column + 1; i++) {
      const value = y[i]!;
      if (value < least) {
        least = value;
        low = i;
      } else if (value > most) {
        most = value;
        high = i;
      }
    }
    count = keepColumn(kept, count, first, low, high, i - 1);
  }
  return count;
}

function keepColumn(
  kept: Uint32Array,
  count: number,
  first: number,
  low: number,
  high: number,
  last: number,
): number {
  let at = count;
  const early = Math.min(low, high);
  const late = Math.max(low, high);
  kept[at++] = first;
  if (early > first && early < last) kept[at++] = early;
  if (late > first && late < last && late !== early) kept[at++] = late;
  if (last > first) kept[at++] = last;
  return at;
}
