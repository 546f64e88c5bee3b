/** Order statistics without sorting: what a percentile of half a million values needs within a frame. */

/**
 * The value that would stand at index `k` if `values[0..n)` were sorted. Reorders `values`.
 * `values` must hold no NaN; 0 <= k < n.
 */
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
        const kept = values[i]!;
        values[i] = values[j]!;
        values[j] = kept;
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
