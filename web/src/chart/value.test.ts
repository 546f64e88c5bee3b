import { expect, test } from "vitest";
import { digitsWithin, valueText } from "./value";

test("a count is written in full", () => {
  const counts = [0, 32, 1_234_567, 16_777_217, 123_456_789, -1_234_567];
  expect(counts.map((value) => valueText(value, 4))).toEqual([
    "0",
    "32",
    "1234567",
    "16777217",
    "123456789",
    "\u22121234567",
  ]);
});

test("a large round number is written the shorter way, a huge one is rounded", () => {
  expect([1e9, 2 ** 60].map((value) => valueText(value))).toEqual(["1e9", "1.15292e18"]);
});

test("what is measured has the digits asked for", () => {
  expect([0.123456789, 1_234_567.5, Number.NaN].map((value) => valueText(value, 6))).toEqual([
    "0.123457",
    "1234570",
    "NaN",
  ]);
});

test("values far from zero get the digits that tell them apart", () => {
  const digits = digitsWithin([999_999.5, 1_000_000.5]);
  expect([1_000_000.3125, 1_000_000.25].map((value) => valueText(value, digits))).toEqual([
    "1000000.313",
    "1000000.25",
  ]);
});

test("usual values have six digits, and so have those without a range", () => {
  const ranges: [number, number][] = [
    [0, 3],
    [0.1, 0.2],
    [1, 1],
    [Number.NaN, Number.NaN],
  ];
  expect(ranges.map(digitsWithin)).toEqual([6, 6, 6, 6]);
});
