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
    "123\u2009457",
    "0.0003",
    "8.25e-5",
    "10\u2009000\u2009000",
    "1.5e300",
    "−2.5",
    "1\u2009000\u2009000",
  ]);
});

test("the digits before the point are never rounded, however few are asked for", () => {
  const values = [32_768, 65_536, -32_768, 16_777_217, 12_345.67, 9_999.96, 1234.5];
  expect(values.map((value) => formatValue(value, 4))).toEqual([
    "32\u2009768",
    "65\u2009536",
    "−32\u2009768",
    "16\u2009777\u2009217",
    "12\u2009346",
    "10\u2009000",
    "1235",
  ]);
});

test("from 1e9 on a prefix, from 1e15 on an exponent", () => {
  const values = [3_355_443_200_000, 1e9, -2.5e10, 5.6e18];
  expect(values.map((value) => formatValue(value, 4))).toEqual([
    "3.355\u2009T",
    "1\u2009G",
    "−25\u2009G",
    "5.6e18",
  ]);
});

test("zeros are kept where a column of values is to line up", () => {
  const values = [0.41, 12.3, 7, 32_768, 1e-5, Number.NaN];
  expect(values.map((value) => formatValue(value, 4, true))).toEqual([
    "0.4100",
    "12.30",
    "7",
    "32\u2009768",
    "1e-5",
    "NaN",
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
