import { expect, test } from "vitest";
import { formatStep, formatValue } from "./number";

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
