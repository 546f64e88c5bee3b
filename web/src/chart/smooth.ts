/**
 * The debiased exponential moving average that TensorBoard draws, exactly: the average starts at zero and is
 * divided by the weight it has gathered; a constant series is left alone; non-finite values pass through and
 * do not count.
 */

/** Smoothed copy of `values`; `weight` from 0 (no change) to 1. */
export function smooth(values: ArrayLike<number>, weight: number): Float64Array {
  const smoothed = Float64Array.from(values);
  if (weight <= 0 || isConstant(values)) return smoothed;
  let average = 0;
  let unseen = 1;
  for (let i = 0; i < smoothed.length; i++) {
    const value = smoothed[i]!;
    if (!Number.isFinite(value)) continue;
    average = average * weight + (1 - weight) * value;
    unseen *= weight;
    smoothed[i] = weight === 1 ? average : average / (1 - unseen);
  }
  return smoothed;
}

function isConstant(values: ArrayLike<number>): boolean {
  for (let i = 1; i < values.length; i++) if (values[i] !== values[0]) return false;
  return true;
}
