/** Which instant is where, and the value that a counter has at a moment. Pure. */

import type { TimeLine } from "./profiles";

/** The members of a column, which is in order, that are `value`: from the first to behind the last. */
export function rangeOf(column: readonly number[], value: number): [number, number] {
  const first = lowerBound(column, value, 0, column.length);
  return [first, lowerBound(column, value + 1, first, column.length)];
}

/** The instant of a track that is nearest to a moment, at most `slack` from it; null for none. */
export function instantAt({ instants }: TimeLine, track: number, time: number, slack: number): number | null {
  const [begin, end] = rangeOf(instants.track, track);
  const at = lowerBound(instants.time_us, time, begin, end);
  const distance = (each: number) => Math.abs(instants.time_us[each]! - time);
  const found = [at - 1, at]
    .filter((each) => each >= begin && each < end && distance(each) <= slack)
    .sort((a, b) => distance(a) - distance(b));
  return found[0] ?? null;
}

/** The value of a counter at a moment; null before its first sample. */
export function valueAt({ samples }: TimeLine, counter: number, time: number): number | null {
  const [begin, end] = rangeOf(samples.counter, counter);
  const at = lowerBound(samples.time_us, time, begin, end);
  const before = samples.time_us[at] === time && at < end ? at : at - 1;
  return before < begin ? null : samples.value[before]!;
}

function lowerBound(column: readonly number[], value: number, begin: number, end: number): number {
  let [low, high] = [begin, end];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (column[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
