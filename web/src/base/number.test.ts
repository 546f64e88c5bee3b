import { expect, test } from "vitest";
import { formatChosen, formatShare, formatStep, formatValue } from "./number";

test("steps are whole numbers with thin spaces", () => {
  expect([0, 999, 9990, -1_234_567].map(formatStep)).toEqual([
    "0",
    "999",
    "9\u2009990",
    "−1\u2009234\u2009567",
  ]);
});

test("values have six significant digits and no needless zeros", () => {
  const values = [0, 1.1219, 0.1 + 0.2, 123_456.78, 3e-4, 8.25e-5, 1e7, 1.5e300, -2.5, 999_999.96];
  expect(values.map((value) => formatValue(value))).toEqual([
    "0",
    "1.1219",
    "0.3",
    "123457",
    "0.0003",
    "8.25e-5",
    "1e7",
    "1.5e300",
    "−2.5",
    "1000000",
  ]);
});

test("what is not finite is named", () => {
  const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  expect(values.map((value) => formatValue(value))).toEqual(["NaN", "∞", "−∞"]);
});

test("a chosen number is written as one would write it", () => {
  const written = [32, 3e-4, 1e-3, 0.1, 0.01, 2.5e-4, 0.9, 100_000, 1e9, -1e-5, 0, 0.1 + 0.2, Number.NaN].map(
    formatChosen,
  );
  expect(written).toEqual([
    "32",
    "3e-4",
    "1e-3",
    "0.1",
    "0.01",
    "2.5e-4",
    "0.9",
    "100000",
    "1e9",
    "\u22121e-5",
    "0",
    "0.3",
    "NaN",
  ]);
});

test("shares keep their zeros, so that a column of them lines up", () => {
  expect([0.8, 1, 0, 0.84655, Number.NaN].map(formatShare)).toEqual([
    "0.8000",
    "1.0000",
    "0.0000",
    "0.8466",
    "NaN",
  ]);
});
