/** Binary search in columns that do not decrease. */

/** First index in [from, to) whose value is >= `value`; `to` if there is none. */
export function lowerBound(column: ArrayLike<number>, value: number, from = 0, to = column.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** First index in [from, to) whose value is > `value`; `to` if there is none. */
export function upperBound(column: ArrayLike<number>, value: number, from = 0, to = column.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index in [from, to) whose value is closest to `value`, the first of equals; -1 if the span is empty. */
export function nearestIndex(column: ArrayLike<number>, value: number, from = 0, to = column.length): number {
  if (from >= to) return -1;
  const after = lowerBound(column, value, from, to);
  if (after === from) return from;
  const closest =
    after === to || value - column[after - 1]! <= column[after]! - value
      ? column[after - 1]!
      : column[after]!;
  return lowerBound(column, closest, from, to);
}
