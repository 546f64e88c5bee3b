/** Means of numbers of any size: sums of finite numbers may overflow. Pure. */

/** A power of two, so that scaling is exact; sums of values scaled by it cannot overflow. */
const SMALL = 2 ** -64;

/** The mean of at least one finite value; it is between the least and the greatest. */
export function meanOf(values: readonly number[]): number {
  const mean = sumOf(values) / values.length;
  if (Number.isFinite(mean)) return mean;
  const small = values.map((value) => value * SMALL);
  const least = small.reduce((a, b) => Math.min(a, b));
  const greatest = small.reduce((a, b) => Math.max(a, b));
  return Math.min(Math.max(sumOf(small) / values.length, least), greatest) / SMALL;
}

/** The middle of two finite values. */
export function middleOf(a: number, b: number): number {
  const sum = a + b;
  return Number.isFinite(sum) ? sum / 2 : a / 2 + b / 2;
}

/** Compensated summation, so that the order of magnitude of the sum does not matter. */
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
