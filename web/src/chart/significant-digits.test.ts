import { expect, test } from "vitest";
import { formatValue } from "../lib/number";
import { digitsWithin } from "./significant-digits";

test("values far from zero get the digits that tell them apart", () => {
  const digits = digitsWithin([999_999.5, 1_000_000.5]);
  expect([1_000_000.3125, 1_000_000.25].map((value) => formatValue(value, digits))).toEqual([
    "1\u2009000\u2009000.313",
    "1\u2009000\u2009000.25",
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
