/**
 * Wall clock times as text in one zone, in a form that all languages read: 2026-11-20 13:05:09. A zone is a function,
 * so that tests can fix it.
 */

/** The offset from UTC in seconds at an instant (epoch seconds). */
export type Zone = (epochSecs: number) => number;

export const localZone: Zone = (epochSecs) => -60 * new Date(epochSecs * 1000).getTimezoneOffset();
export const utc: Zone = () => 0;

export interface ClockParts {
  year: string;
  month: string;
  day: string;
  hour: string;
  minute: string;
  second: string;
  millis: string;
}

/** The fields of an instant in a zone, padded to their usual widths. Null outside the range of dates. */
export function clockParts(epochSecs: number, zone: Zone = localZone): ClockParts | null {
  const date = new Date(Math.round((epochSecs + zone(epochSecs)) * 1000));
  if (Number.isNaN(date.getTime())) return null;
  const two = (value: number) => String(value).padStart(2, "0");
  return {
    year: String(date.getUTCFullYear()),
    month: two(date.getUTCMonth() + 1),
    day: two(date.getUTCDate()),
    hour: two(date.getUTCHours()),
    minute: two(date.getUTCMinutes()),
    second: two(date.getUTCSeconds()),
    millis: String(date.getUTCMilliseconds()).padStart(3, "0"),
  };
}

/** "2026-11-20 13:05:09"; "–" if the instant is not a valid date. */
export function formatClock(epochSecs: number, zone: Zone = localZone): string {
  const parts = clockParts(epochSecs, zone);
  if (parts === null) return "–";
  return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}:${parts.second}`;
}
