/** Dates, ages, counts and sizes in the user's language. Measured values and steps are formatted by `lib/number`. */

import { say, spoken } from "./words";

const BYTE_UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

const grouping = new Map<string, Intl.NumberFormat>();

/** A count with the grouping of the language: 1,234 or 1 234. */
export function count(value: number): string {
  const language = spoken();
  // Creating a formatter is more expensive than rendering a row of a table.
  const format = grouping.get(language) ?? new Intl.NumberFormat(language);
  grouping.set(language, format);
  return format.format(value);
}

/** A large count in three digits: 7.1M, 710万, 7,1 млн. */
export function shortCount(value: number): string {
  return new Intl.NumberFormat(spoken(), { notation: "compact", maximumSignificantDigits: 3 }).format(value);
}

/** Stands for a time that no calendar has; files may say anything. */
const NO_TIME = "–";

/** "Nov 20, 12:04", "11月20日 12:04", "20 нояб., 12:04"; of another year with the year. */
export function dateTime(epochSecs: number): string {
  const when = new Date(epochSecs * 1000);
  if (Number.isNaN(when.getTime())) return NO_TIME;
  return new Intl.DateTimeFormat(spoken(), {
    ...(when.getFullYear() !== new Date().getFullYear() && { year: "numeric" }),
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(when);
}

/** When a value was written, for the line below its label; "" for no time. */
export function whenText(wall: number | string, word = ""): string {
  const when = typeof wall === "number" && wall > 0 ? dateTime(wall) : "";
  return [word, when].filter((part) => part !== "").join("\n");
}

/** "Nov 20", "11月20日", "20 нояб."; of another year with the year. */
export function day(epochSecs: number): string {
  const when = new Date(epochSecs * 1000);
  return new Intl.DateTimeFormat(spoken(), {
    ...(when.getFullYear() !== new Date().getFullYear() && { year: "numeric" }),
    month: "short",
    day: "numeric",
  }).format(when);
}

/** The time of today as "12:04", otherwise as `dateTime`; also of a time that will come. */
export function timeNear(epochSecs: number, nowSecs: number): string {
  const [when, now] = [new Date(epochSecs * 1000), new Date(nowSecs * 1000)];
  if (when.toDateString() !== now.toDateString()) return dateTime(epochSecs);
  return new Intl.DateTimeFormat(spoken(), { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(
    when,
  );
}

/** "12:04:09". */
export function timeOfDay(epochSecs: number): string {
  return new Intl.DateTimeFormat(spoken(), { timeStyle: "medium", hourCycle: "h23" }).format(
    epochSecs * 1000,
  );
}

/** What stands between a label and its text: ": ", in Chinese "：". */
export function colon(): string {
  return spoken() === "zh" ? "：" : ": ";
}

/** "read, write", "读取、写入". */
export function listOf(items: readonly string[]): string {
  return new Intl.ListFormat(spoken(), { type: "conjunction", style: "narrow" }).format(items);
}

/** A duration in at most two units: "1 h 12 m", "1 小时 12 分", "1 ч 12 мин". */
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

const AGE_UNITS = [
  ["years", 31_557_600],
  ["months", 2_629_800],
  ["days", 86_400],
  ["hours", 3600],
  ["minutes", 60],
  ["seconds", 1],
] as const;

/** The same without seconds above a minute, for what is some time away. */
export function roughDuration(length: number): string {
  return duration(length >= 60 ? Math.floor(length / 60) * 60 : Math.max(0, length));
}

/** How long ago, in one unit: "12 min ago", "12 分钟前", "12 мин назад". */
export function ago(seconds: number): string {
  const [unit, secs] = AGE_UNITS.find(([, size]) => seconds >= size) ?? (["seconds", 1] as const);
  return say(`age.${unit}`, { count: Math.floor(Math.max(0, seconds) / secs) });
}
