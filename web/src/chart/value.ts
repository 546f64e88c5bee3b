/** Values as a chart says them: a count in full, a measurement with as many digits as its chart tells apart. Pure. */

import { formatValue, withMinus } from "../base/number";
import type { Range } from "./domain";

const USUAL_DIGITS = 6;
/** More than these are noise of the way a number is stored. */
const MOST_DIGITS = 12;
/** Values that lie a thousandth of the view apart are written differently. */
const TOLD_APART = 3;
/** Whole numbers are rounded from here on, where they are sizes rather than counts. */
const MOST_COUNT = 1e10;

/** A value to about `digits` significant digits; a whole number, such as a count of tokens, to all it has. */
export function valueText(value: number, digits = USUAL_DIGITS): string {
  if (!Number.isInteger(value) || Math.abs(value) >= MOST_COUNT) return formatValue(value, digits);
  const plain = withMinus(String(value));
  const short = formatValue(value, MOST_DIGITS);
  return short.length < plain.length ? short : plain;
}

/** Significant digits that values within a range of y need. */
export function digitsWithin([low, high]: Range): number {
  const size = Math.max(Math.abs(low), Math.abs(high));
  const needed = Math.ceil(Math.log10(size / (high - low))) + TOLD_APART;
  return Number.isFinite(needed) ? Math.min(MOST_DIGITS, Math.max(USUAL_DIGITS, needed)) : USUAL_DIGITS;
}
