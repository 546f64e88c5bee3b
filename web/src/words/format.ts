/** Dates, ages, counts and sizes in the reader's language. Measured values and steps are `base/number`'s. */

import { say, spoken } from "./words";

const BYTE_UNITS = ["B", "KB", "MB", "GB", "TB"] as const;

/** A count with the grouping of the language: 1,234 or 1 234. */
export function count(value: number): string {
  return new Intl.NumberFormat(spoken()).format(value);
}

/** "Nov 20, 12:04", "11月20日 12:04", "20 нояб., 12:04". */
export function dateTime(epochSecs: number): string {
  return new Intl.DateTimeFormat(spoken(), {
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(epochSecs * 1000);
}

/** "12:04:09". */
export function timeOfDay(epochSecs: number): string {
  return new Intl.DateTimeFormat(spoken(), { timeStyle: "medium", hourCycle: "h23" }).format(
    epochSecs * 1000,
  );
}

/** A length of time in two units at most: "1 h 12 m", "1 小时 12 分", "1 ч 12 мин". */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const days = Math.floor(whole / 86_400);
  const hours = Math.floor((whole % 86_400) / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  if (days > 0) return say("duration.days", { days, hours });
  if (hours > 0) return say("duration.hours", { hours, minutes });
  if (minutes > 0) return say("duration.minutes", { minutes });
  return say("duration.seconds", { seconds: whole });
}

/** Bytes in powers of 1,000: "512 MB". */
export function bytes(size: number): string {
  const [value, unit] = scaledBytes(size, size);
  return `${value} ${unit}`;
}

/** Two sizes in the unit of the larger: ["340", "512 MB"]. */
export function bytesOf(part: number, whole: number): [string, string] {
  const [value] = scaledBytes(part, whole);
  return [value, bytes(whole)];
}

function scaledBytes(size: number, scale: number): [string, string] {
  const power = scale > 0 ? Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(scale) / 3)) : 0;
  const value = size / 1000 ** power;
  return [value >= 100 || power === 0 ? value.toFixed(0) : value.toPrecision(2), BYTE_UNITS[power]!];
}
