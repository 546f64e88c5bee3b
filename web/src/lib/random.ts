/** Reproducible pseudo-random numbers, for tests and sample data. */

/** A generator of numbers in [0, 1), by the multiply-with-carry method. */
export function randomNumbers(seed: number): () => number {
  let low = 123_456_789 + seed;
  let high = 987_654_321 - seed;
  return () => {
    high = (36_969 * (high & 65_535) + (high >>> 16)) >>> 0;
    low = (18_000 * (low & 65_535) + (low >>> 16)) >>> 0;
    return (((high << 16) + (low & 65_535)) >>> 0) / 2 ** 32;
  };
}
