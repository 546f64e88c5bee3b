/**
 * Positions and labels of ticks. Steps of 1, 2, 2.5 and 5; one prefix and one number of decimals per axis; zero is
 * "0". Digits are not grouped, so that labels can be pasted elsewhere in any language.
 */

import { withMinus } from "../lib/number";
import { symlogBend } from "./scale";

export interface Ticks {
  values: number[];
  labels: string[];
}

/** A tick distance as mantissa (1, 2, 2.5, 5) and power of ten: exact, unlike a float. */
interface Step {
  mantissa: number;
  power: number;
}

const PREFIXES = ["", "k", "M", "G", "T", "P", "E"];
const MANTISSAS = [1, 2, 2.5, 5];

/** Round values inside [min, max], at most `count`. `whole`: only whole numbers, for steps. */
export function linearTicks(min: number, max: number, count: number, whole = false): Ticks {
  const step = chooseStep(min, max, count, whole);
  if (step === null) return { values: [min], labels: [plainLabel(min)] };
  const values = multiples(min, max, step);
  return { values, labels: linearLabels(values, step) };
}

/**
 * 1-2-5 within few decades, powers of ten within many, round values within less than one. Both ends must be positive.
 */
export function logTicks(min: number, max: number, count: number): Ticks {
  const fine = decadeTicks(min, max, [1, 2, 5]);
  if (fine.length < 2) return linearTicks(min, max, count);
  if (fine.length <= count + 1) return { values: fine, labels: fine.map(plainLabel) };
  const powers = decadeTicks(min, max, [1]);
  if (powers.length < 2) return { values: fine, labels: fine.map(plainLabel) };
  const every = Math.ceil(powers.length / count);
  const values = powers.filter((value) => Math.round(Math.log10(value)) % every === 0);
  return { values, labels: values.map(plainLabel) };
}

/** Zero and powers of ten on both sides, as many as fit. */
export function symlogTicks(min: number, max: number, count: number): Ticks {
  const bend = symlogBend([min, max]);
  const side = (limit: number) => (limit > bend ? logTicks(bend, limit, Math.ceil(count / 2)).values : []);
  const below = side(-min).map((value) => -value);
  const values = [...below.reverse(), ...(min <= 0 && max >= 0 ? [0] : []), ...side(max)];
  return { values, labels: values.map(plainLabel) };
}

/** The label of a log tick, or of a single number: 1e-3, 0.05, 20, 50k. */
export function plainLabel(value: number): string {
  if (value === 0) return "0";
  const power = Math.floor(Math.log10(Math.abs(value)) + 1e-12);
  if (power < -2 || power > 20) return withMinus(value.toExponential().replace("+", ""));
  const third = power < 4 ? 0 : Math.floor(power / 3);
  return withMinus(Number((value / 10 ** (3 * third)).toPrecision(6)) + PREFIXES[third]!);
}

function chooseStep(min: number, max: number, count: number, whole: boolean): Step | null {
  const span = max - min;
  if (!(span > 0) || span <= Math.max(Math.abs(min), Math.abs(max)) * 1e-13) return null;
  let power = Math.floor(Math.log10(span / count)) - 1;
  if (whole) power = Math.max(power, 0);
  for (; ; power++) {
    for (const mantissa of MANTISSAS) {
      if (whole && power === 0 && mantissa === 2.5) continue;
      const step = { mantissa, power };
      if (countMultiples(min, max, step) <= count) return step;
    }
  }
}

function countMultiples(min: number, max: number, step: Step): number {
  const [first, last] = multipliers(min, max, step);
  return last - first + 1;
}

function multiples(min: number, max: number, step: Step): number[] {
  const [first, last] = multipliers(min, max, step);
  const values: number[] = [];
  for (let k = first; k <= last; k++) values.push(timesPower(k * step.mantissa, step.power) + 0);
  return values;
}

/** First and last k with min <= k × step <= max, tolerant of rounding errors at the ends. */
function multipliers(min: number, max: number, step: Step): [number, number] {
  const size = timesPower(step.mantissa, step.power);
  const slack = 1e-9;
  return [Math.ceil(min / size - slack), Math.floor(max / size + slack)];
}

/** value × 10^power, rounded once, equal to the decimal as written. |value| < 1e21. */
function timesPower(value: number, power: number): number {
  return Number(`${value}e${power}`);
}

/** mantissa × 10^k inside [min, max], for all k, ascending. */
function decadeTicks(min: number, max: number, mantissas: readonly number[]): number[] {
  const values: number[] = [];
  for (let power = Math.floor(Math.log10(min)); power <= Math.ceil(Math.log10(max)); power++) {
    for (const mantissa of mantissas) {
      const value = timesPower(mantissa, power);
      if (value >= min && value <= max) values.push(value);
    }
  }
  return values;
}

function linearLabels(values: readonly number[], step: Step): string[] {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const finest = step.power - (step.mantissa === 2.5 ? 1 : 0);
  const label = labelling(values, largest, finest);
  return values.map((value) => (value === 0 ? "0" : withMinus(label(value))));
}

/**
 * Returns the formatter for all values of one axis, given the largest and the power of ten of the last digit needed.
 */
function labelling(values: readonly number[], largest: number, finest: number): (value: number) => string {
  const top = Math.floor(Math.log10(largest || 1) + 1e-12);
  if (top < -2) return exponential(values);
  if (top < 4) return (value) => value.toFixed(Math.max(0, -finest));
  const third = Math.floor(top / 3);
  const decimals = Math.max(0, 3 * third - finest);
  if (third < PREFIXES.length && decimals <= 3) {
    return (value) => (value / 10 ** (3 * third)).toFixed(decimals) + PREFIXES[third]!;
  }
  if (top < 15) return (value) => value.toFixed(Math.max(0, -finest));
  return exponential(values);
}

/** Uses as many decimals as the value with the most needs. */
function exponential(values: readonly number[]): (value: number) => string {
  const decimals = values.map((value) => /\.(\d+)e/.exec(value.toExponential())?.[1]?.length ?? 0);
  const most = Math.max(0, ...decimals);
  return (value) => value.toExponential(most).replace("+", "");
}
