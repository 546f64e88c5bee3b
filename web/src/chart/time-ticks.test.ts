import { expect, test } from "vitest";
import { utc, type Zone } from "../lib/clock";
import { clockTicks, durationTicks } from "./time-ticks";

const HOUR = 3600;
const DAY = 24 * HOUR;

test.each<[number, number, string]>([
  [0, 0.09, "0 20 ms 40 ms 60 ms 80 ms"],
  [0, 2, "0 0.5 s 1.0 s 1.5 s 2.0 s"],
  [0, 55, "0 15 s 30 s 45 s"],
  [0, 600, "0 5 m 10 m"],
  [0, 2.2 * HOUR, "0 30 m 1 h 1 h 30 m 2 h"],
  [0, 2 * DAY, "0 12 h 1 d 1 d 12 h 2 d"],
  [0, 40 * DAY, "0 10 d 20 d 30 d 40 d"],
])("lengths from %s to %s seconds: %s", (min, max, labels) => {
  expect(durationTicks(min, max, 5).labels.join(" ")).toBe(labels);
});

const at = (...fields: [number, number, number, number?, number?, number?]) => Date.UTC(...fields) / 1000;

test.each<[number, number, string]>([
  [at(2026, 10, 20, 13, 5, 0), at(2026, 10, 20, 13, 6, 0), "13:05:00 13:05:15 13:05:30 13:05:45 13:06:00"],
  [at(2026, 10, 20, 21, 0), at(2026, 10, 21, 2, 0), "22:00 11-21 02:00"],
  [at(2026, 10, 20), at(2026, 10, 24), "11-20 11-21 11-22 11-23 11-24"],
  [at(2026, 9, 15), at(2027, 2, 10), "2026-11 2026-12 2027 2027-02 2027-03"],
  [at(2010, 0, 1), at(2030, 0, 1), "2010 2015 2020 2025 2030"],
])("times of a clock from %s to %s: %s", (min, max, labels) => {
  expect(clockTicks(min, max, 5, utc).labels.join(" ")).toBe(labels);
});

test("below a second a clock counts milliseconds", () => {
  const start = at(2026, 10, 20, 13, 5, 9);
  expect(clockTicks(start, start + 0.5, 3, utc).labels).toEqual([
    "13:05:09.000",
    "13:05:09.200",
    "13:05:09.400",
  ]);
});

test("ticks are round where the reader lives", () => {
  const india: Zone = () => 5.5 * HOUR;
  const { values, labels } = clockTicks(at(2026, 10, 20, 0, 0), at(2026, 10, 20, 12, 0), 5, india);
  expect(labels).toEqual(["06:00", "09:00", "12:00", "15:00"]);
  expect(values[0]).toBe(at(2026, 10, 20, 0, 30));
});

test("days begin at midnight on both sides of a change of the clock", () => {
  const change = at(2026, 9, 25, 1, 0);
  const zone: Zone = (instant) => (instant < change ? 2 * HOUR : HOUR);
  const { values } = clockTicks(at(2026, 9, 23, 12), at(2026, 9, 27, 12), 5, zone);
  expect(values).toEqual([
    at(2026, 9, 23, 22),
    at(2026, 9, 24, 22),
    at(2026, 9, 25, 23),
    at(2026, 9, 26, 23),
  ]);
});
