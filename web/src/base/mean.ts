/** Means of numbers, whatever their size: sums of finite numbers may be beyond all numbers. Pure. */

/** A power of two, so that nothing is lost; no sum of values this much smaller is beyond all numbers. */
const SMALL = 2 ** -64;

/** Of finite values, of which there is at least one; it lies between the least and the greatest of them. */
export function meanOf(values: readonly number[]): number {
  const mean = sumOf(values) / values.length;
  if (Number.isFinite(mean)) return mean;
  const small = values.map((value) => value * SMALL);
  const least = small.reduce((a, b) => Math.min(a, b));
  const greatest = small.reduce((a, b) => Math.max(a, b));
  return Math.min(Math.max(sumOf(small) / values.length, least), greatest) / SMALL;
}

/** Half-way between two finite values. */
export function middleOf(a: number, b: number): number {
  const sum = a + b;
  return Number.isFinite(sum) ? sum / 2 : a / 2 + b / 2;
}

/** With the rounding of each addition carried along, so that the order of magnitude of the sum does not matter. */
function sumOf(values: readonly number[]): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}
