/**
 * Measured numbers as text. Never localized: a value reads the same in every language, with a decimal point, a true
 * minus sign and thin spaces between thousands.
 */

export const MINUS = "\u2212";
const THIN_SPACE = "\u2009";

/** Whole numbers with thin spaces: 9990 is "9 990". Others as in `formatValue`. */
export function formatStep(step: number): string {
  if (!Number.isFinite(step)) return formatNonFinite(step);
  if (!Number.isInteger(step) || Math.abs(step) >= 1e21) return formatValue(step, 7);
  return withMinus(groupDigits(String(step)));
}

/** Limits between which numbers are written without a prefix or an exponent. */
const GIGA = 1e9;
const TERA = 1e12;
const MAX_WRITTEN = 1e15;
const LEAST_WRITTEN = 1e-4;
/** Numbers of up to this many digits are not grouped. */
const UNGROUPED_DIGITS = 4;

/**
 * A value with at most `digits` significant digits, without trailing zeros unless `zeros`, and with all digits before
 * the point: 32768 is always "32 768". From 1e9 on with a prefix, "3.355 T"; "NaN", "∞", "−∞" if not finite.
 */
export function formatValue(value: number, digits = 6, zeros = false): string {
  if (!Number.isFinite(value)) return formatNonFinite(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < LEAST_WRITTEN || size >= MAX_WRITTEN) {
    const [mantissa = "", exponent = ""] = value.toExponential(digits - 1).split("e");
    return `${withMinus(dropZeros(mantissa))}e${exponent.replace("+", "")}`;
  }
  if (size >= TERA) return `${significant(value / TERA, digits, false)}${THIN_SPACE}T`;
  if (size >= GIGA) return `${significant(value / GIGA, digits, false)}${THIN_SPACE}G`;
  return significant(value, digits, zeros && !Number.isInteger(value));
}

function significant(value: number, digits: number, zeros: boolean): string {
  const whole = Math.floor(Math.log10(Math.abs(value))) + 1;
  const plain = whole < digits ? value.toPrecision(digits) : value.toFixed(0);
  const [before = "", after = ""] = plain.split(".");
  const decimals = zeros ? after : after.replace(/0+$/, "");
  const grouped = before.replace("-", "").length <= UNGROUPED_DIGITS ? before : groupDigits(before);
  return withMinus(decimals === "" ? grouped : `${grouped}.${decimals}`);
}

/** A share with one to four decimals; zeros are kept, so that columns align. */
export function formatShare(value: number): string {
  return Number.isFinite(value) ? withMinus(value.toFixed(4)) : formatNonFinite(value);
}

/** A hyperparameter as one would write it: 32, 0.9, 3e-4, 2.5e-4; the shorter form with all its digits. */
export function formatChosen(value: number): string {
  if (!Number.isFinite(value)) return formatNonFinite(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return withMinus(String(value));
  const digits = Number(value.toPrecision(7));
  const plain = String(digits);
  const [mantissa = "", exponent = ""] = digits.toExponential().split("e");
  const short = `${mantissa}e${exponent.replace("+", "")}`;
  return withMinus(plain.includes("e") || short.length < plain.length ? short : plain);
}

/** Replaces the hyphen of "-1.5" by a minus sign; exponents keep theirs. */
export function withMinus(text: string): string {
  return text.startsWith("-") ? MINUS + text.slice(1) : text;
}

/** Adds thin spaces between thousands of a plain decimal integer; the sign is kept. */
export function groupDigits(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, THIN_SPACE);
}

function formatNonFinite(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "∞" : `${MINUS}∞`;
}

function dropZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
