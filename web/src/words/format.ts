/** Dates, ages, counts and sizes in the reader's language. Measured values and steps are `base/number`'s. */

import { say, spoken } from "./words";

const BYTE_UNITS = ["B", "KB", "MB", "GB", "TB"] as const;

const grouping = new Map<string, Intl.NumberFormat>();

/** A count with the grouping of the language: 1,234 or 1 234. */
export function count(value: number): string {
  const language = spoken();
  // Making a formatter costs more than a row of a table.
  const format = grouping.get(language) ?? new Intl.NumberFormat(language);
  grouping.set(language, format);
  return format.format(value);
}

/** "Nov 20, 12:04", "11月20日 12:04", "20 нояб., 12:04"; of another year with the year. */
export function dateTime(epochSecs: number): string {
  const when = new Date(epochSecs * 1000);
  return new Intl.DateTimeFormat(spoken(), {
    ...(when.getFullYear() !== new Date().getFullYear() && { year: "numeric" }),
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(when);
}

/** When a value was written, below a word about it; "" for no time. */
export function whenText(wall: number | string, word = ""): string {
  const when = typeof wall === "number" && wall > 0 ? dateTime(wall) : "";
  return [word, when].filter((part) => part !== "").join("\n");
}

/** "12:04:09". */
export function timeOfDay(epochSecs: number): string {
  return new Intl.DateTimeFormat(spoken(), { timeStyle: "medium", hourCycle: "h23" }).format(
    epochSecs * 1000,
  );
}

/** A length of time in two units at most: "1 h 12 m", "1 小时 12 分", "1 ч 12 мин". */
export function duration(length: number): string {
  const whole = Math.max(0, Math.round(length));
  const days = Math.floor(whole / 86_400);
  const hours = Math.floor((whole % 86_400) / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  if (days > 0) return say(hours > 0 ? "duration.daysHours" : "duration.days", { days, hours });
  if (hours > 0) return say(minutes > 0 ? "duration.hoursMinutes" : "duration.hours", { hours, minutes });
  const seconds = whole % 60;
  if (minutes > 0 && seconds > 0) return say("duration.minutesSeconds", { minutes, seconds });
  if (minutes > 0) return say("duration.minutes", { minutes });
  return say("duration.seconds", { seconds });
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

const AGE_UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, secs: number])[] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** How long ago, in one unit: "12 min. ago", "12分钟前", "12 мин назад". */
export function ago(seconds: number): string {
  const [unit, secs] = AGE_UNITS.find(([, size]) => seconds >= size) ?? (["second", 1] as const);
  const format = new Intl.RelativeTimeFormat(spoken(), { style: "short" });
  return format.format(-Math.floor(Math.max(0, seconds) / secs), unit);
}
