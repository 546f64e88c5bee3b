/** Durations of profilers as text: "12.5 µs", "3.84 ms", "1.20 s". Never localized. */

import { MINUS } from "./number";

const UNITS = [
  [1e6, "s"],
  [1e3, "ms"],
  [1, "µs"],
] as const;

/** Three digits and more, in the unit that suits. */
export function formatMicroseconds(time: number): string {
  const size = Math.abs(time);
  const [unit, name] = UNITS.find(([least]) => size >= least * 0.9995) ?? ([1e-3, "ns"] as const);
  if (size === 0) return "0 s";
  const value = size / unit;
  const digits = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${time < 0 ? MINUS : ""}${name === "ns" ? Math.round(value) : value.toFixed(digits)} ${name}`;
}
