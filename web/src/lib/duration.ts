/** Durations as text: "1 h 12 m". Two units at most, never localized. */

import { MINUS } from "./number";

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "m"],
  [1, "s"],
];

/** Seconds as the two largest units that fit; milliseconds below a second. */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return String(seconds);
  const sign = seconds < 0 ? MINUS : "";
  const size = Math.abs(seconds);
  if (size === 0) return "0 s";
  if (size < 1) return `${sign}${trimmed(size * 1000, size < 0.01 ? 2 : 0)} ms`;
  if (size < 10) return `${sign}${trimmed(size, 2)} s`;
  return sign + twoUnits(Math.round(size));
}

function twoUnits(seconds: number): string {
  const at = UNITS.findIndex(([unit]) => seconds >= unit);
  const [unit, name] = UNITS[at]!;
  const [small, smallName] = UNITS[at + 1] ?? [1, ""];
  const rounded = Math.round(seconds / small) * small;
  if (rounded !== seconds) return twoUnits(rounded);
  const count = Math.floor(seconds / unit);
  const rest = (seconds - count * unit) / small;
  return rest === 0 ? `${count} ${name}` : `${count} ${name} ${rest} ${smallName}`;
}

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
