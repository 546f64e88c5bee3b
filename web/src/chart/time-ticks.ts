/** Ticks of the time axes: durations ("1 h 30 m") and wall clock times ("14:05", "11-21"). */

import { type ClockParts, clockParts, localZone, type Zone } from "../lib/clock";
import { formatDuration } from "../lib/duration";
import { linearTicks, type Ticks } from "./ticks";

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const MONTH = 30.44 * DAY;

/** Distances that a clock divides into, in seconds. */
const CLOCK_STEPS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
];
const DAY_STEPS = [1, 2, 7, 14].map((n) => n * DAY);
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6000];

/** Round durations inside [min, max] seconds, at most `count`. */
export function durationTicks(min: number, max: number, count: number): Ticks {
  const step = [...CLOCK_STEPS, DAY].find((size) => countIn(min, max, size) <= count);
  if (step === undefined) return dayTicks(min, max, count);
  if (step === 1 && max - min < count) return secondTicks(min, max, count);
  const values = multiplesIn(min, max, step);
  return { values, labels: values.map((value) => (value === 0 ? "0" : formatDuration(value))) };
}

/** Round wall clock times inside [min, max] epoch seconds, at most `count`. */
export function clockTicks(min: number, max: number, count: number, zone: Zone = localZone): Ticks {
  const start = min + zone(min);
  const end = max + zone(max);
  const toInstant = (local: number) => local - zone(local - zone(min));
  const step = [...CLOCK_STEPS, ...DAY_STEPS].find((size) => countIn(start, end, size) <= count);
  if (step === 1 && max - min < count) return fractionTicks(min, max, count, zone);
  const values = (step === undefined ? monthStarts(start, end, count) : multiplesIn(start, end, step))
    .map(toInstant)
    .filter((value) => value >= min && value <= max);
  return { values, labels: values.map((value) => clockLabel(value, step ?? MONTH, zone)) };
}

function clockLabel(value: number, step: number, zone: Zone): string {
  const parts = clockParts(value, zone);
  if (parts === null) return "";
  if (step >= MONTH) return parts.month === "01" ? parts.year : `${parts.year}-${parts.month}`;
  if (step >= DAY || isMidnight(parts)) return `${parts.month}-${parts.day}`;
  const minutes = `${parts.hour}:${parts.minute}`;
  return step < MINUTE ? `${minutes}:${parts.second}` : minutes;
}

function isMidnight(parts: ClockParts): boolean {
  return parts.hour === "00" && parts.minute === "00" && parts.second === "00";
}

/** Ticks below a second: seconds of the minute with decimals. */
function fractionTicks(min: number, max: number, count: number, zone: Zone): Ticks {
  const base = Math.floor(min);
  const inner = linearTicks(min - base, max - base, count);
  const values = inner.values.map((value) => base + value);
  const labels = values.map((value) => {
    const parts = clockParts(value, zone);
    return parts === null ? "" : `${parts.hour}:${parts.minute}:${parts.second}.${parts.millis}`;
  });
  return { values, labels };
}

/** Durations below a few seconds: decimals of a second, or milliseconds. */
function secondTicks(min: number, max: number, count: number): Ticks {
  const millis = Math.max(Math.abs(min), Math.abs(max)) < 1;
  const scale = millis ? 1000 : 1;
  const { values, labels } = linearTicks(min * scale, max * scale, count);
  const unit = millis ? "ms" : "s";
  return {
    values: values.map((value) => value / scale),
    labels: labels.map((label) => (label === "0" ? label : `${label} ${unit}`)),
  };
}

function dayTicks(min: number, max: number, count: number): Ticks {
  const { values, labels } = linearTicks(min / DAY, max / DAY, count, true);
  return {
    values: values.map((value) => value * DAY),
    labels: labels.map((label) => (label === "0" ? label : `${label} d`)),
  };
}

/** First days of months, every 1, 2, 3, 6, 12 … months, in local seconds. */
function monthStarts(start: number, end: number, count: number): number[] {
  const first = new Date(start * 1000);
  const from = first.getUTCFullYear() * 12 + first.getUTCMonth();
  const months = (end - start) / MONTH;
  const every = MONTH_STEPS.find((size) => months / size <= count) ?? MONTH_STEPS.at(-1)!;
  const values: number[] = [];
  for (let month = Math.ceil(from / every) * every; values.length <= count; month += every) {
    const at = Date.UTC(Math.floor(month / 12), ((month % 12) + 12) % 12) / 1000;
    if (!(at <= end)) break;
    if (at >= start) values.push(at);
  }
  return values;
}

function countIn(min: number, max: number, step: number): number {
  return Math.floor(max / step) - Math.ceil(min / step) + 1;
}

function multiplesIn(min: number, max: number, step: number): number[] {
  const values: number[] = [];
  for (let k = Math.ceil(min / step); k <= Math.floor(max / step); k++) values.push(k * step + 0);
  return values;
}
