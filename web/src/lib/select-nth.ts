/** Order statistics without sorting: fast enough for a percentile of half a million values within a frame. */

/** The value at index `k` if `values[0..n)` were sorted. Reorders `values`, which must not contain NaN; 0 <= k < n. */
export function selectNth(values: Float64Array, k: number, n = values.length): number {
  let left = 0;
  let right = n - 1;
  while (left < right) {
    const pivot = medianOfThree(values[left]!, values[(left + right) >>> 1]!, values[right]!);
    let i = left;
    let j = right;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i <= j) {
        const swapped = values[i]!;
        values[i] = values[j]!;
        values[j] = swapped;
        i++;
        j--;
      }
    }
    if (k <= j) right = j;
    else if (k >= i) left = i;
    else break;
  }
  return values[k]!;
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
