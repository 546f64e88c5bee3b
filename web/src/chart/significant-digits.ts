/** The number of digits that values of a chart need. Pure. */

import type { Range } from "./domain";

const USUAL_DIGITS = 6;
/** Further digits are noise of the number format. */
const MAX_DIGITS = 12;
/** Values a thousandth of the view apart are shown differently. */
const TOLD_APART = 3;

/** Significant digits for values within a range of y. */
export function digitsWithin([low, high]: Range): number {
  const size = Math.max(Math.abs(low), Math.abs(high));
  const needed = Math.ceil(Math.log10(size / (high - low))) + TOLD_APART;
  return Number.isFinite(needed) ? Math.min(MAX_DIGITS, Math.max(USUAL_DIGITS, needed)) : USUAL_DIGITS;
}
