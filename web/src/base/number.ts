/**
 * Measured numbers as text. Never localised: a value reads the same in every language, with a point for
 * decimals, a true minus sign and thin spaces between thousands.
 */

export const MINUS = "\u2212";
const THIN_SPACE = "\u2009";

/** Whole numbers with thin spaces: 9990 is "9 990". Others as `formatValue`. */
export function formatStep(step: number): string {
  if (!Number.isFinite(step)) return formatNonFinite(step);
  if (!Number.isInteger(step) || Math.abs(step) >= 1e21) return formatValue(step, 7);
  return withMinus(groupDigits(String(step)));
}

/** Where a number is written with a prefix, and from where on with an exponent. */
const GIGA = 1e9;
const TERA = 1e12;
const MOST_WRITTEN = 1e15;
const LEAST_WRITTEN = 1e-4;
/** As many are read at once. */
const UNGROUPED_DIGITS = 4;

/**
 * A value to at most `digits` significant digits, without trailing zeros unless `zeros`, and with all digits before
 * the point: 32768 is "32 768" however few are asked for. From 1e9 on with a prefix, "3.355 T"; "NaN", "∞", "−∞" when
 * not finite.
 */
export function formatValue(value: number, digits = 6, zeros = false): string {
  if (!Number.isFinite(value)) return formatNonFinite(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < LEAST_WRITTEN || size >= MOST_WRITTEN) {
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

/** A share of one to four decimals, zeros kept: a column of them lines up. */
export function formatShare(value: number): string {
  return Number.isFinite(value) ? withMinus(value.toFixed(4)) : formatNonFinite(value);
}

/** A chosen number, as one would write it: 32, 0.9, 3e-4, 2.5e-4; the shorter way of writing all its digits. */
export function formatChosen(value: number): string {
  if (!Number.isFinite(value)) return formatNonFinite(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return withMinus(String(value));
  const digits = Number(value.toPrecision(7));
  const plain = String(digits);
  const [mantissa = "", exponent = ""] = digits.toExponential().split("e");
  const short = `${mantissa}e${exponent.replace("+", "")}`;
  return withMinus(plain.includes("e") || short.length < plain.length ? short : plain);
}

/** "-1.5" as it is printed on screen, with the minus sign of typographers; an exponent keeps its hyphen. */
export function withMinus(text: string): string {
  return text.startsWith("-") ? MINUS + text.slice(1) : text;
}

/** Thin spaces between thousands of a plain decimal integer, sign kept. */
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
