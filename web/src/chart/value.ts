/** How many digits the values of a chart need. Pure. */

import type { Range } from "./domain";

const USUAL_DIGITS = 6;
/** More than these are noise of the way a number is stored. */
const MOST_DIGITS = 12;
/** Values that lie a thousandth of the view apart are written differently. */
const TOLD_APART = 3;

/** Significant digits that values within a range of y need. */
export function digitsWithin([low, high]: Range): number {
  const size = Math.max(Math.abs(low), Math.abs(high));
  const needed = Math.ceil(Math.log10(size / (high - low))) + TOLD_APART;
  return Number.isFinite(needed) ? Math.min(MOST_DIGITS, Math.max(USUAL_DIGITS, needed)) : USUAL_DIGITS;
}
