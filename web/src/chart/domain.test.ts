import { expect, test } from "vitest";
import { randomNumbers } from "../lib/random";
import { countOutside, extent, padded, relaxedExtent, robustExtent, union, xDomain } from "./domain";
import { linearTicks } from "./ticks";

test("the extent looks at finite values only", () => {
  expect(extent([3, Number.NaN, -1, Number.POSITIVE_INFINITY])).toEqual([-1, 3]);
  expect(extent([Number.NaN])).toBeNull();
});

test("nothing joined with a range is the range", () => {
  expect([union(null, null), union([1, 2], null), union([1, 2], [0, 1.5])]).toEqual([null, [1, 2], [0, 2]]);
});

test.each([3, 4, 20, 21, 1000])("of %s values the 5th to the 95th percentile, by index", (n) => {
  const random = randomNumbers(n);
  const values = Float64Array.from({ length: n }, () => random() * 100);
  const sorted = values.slice().sort();
  const expected = [sorted[Math.ceil(0.05 * (n - 1))], sorted[Math.floor(0.95 * (n - 1))]];
  expect(robustExtent(values)).toEqual(expected);
});

test("of two values or fewer none is an outlier", () => {
  expect([robustExtent(Float64Array.of(1, 900)), robustExtent(new Float64Array())]).toEqual([[1, 900], null]);
});

test("one spike among many does not stretch the axis, and is counted", () => {
  const values = Float64Array.from({ length: 100 }, (_, i) => (i === 50 ? 1e4 : i));
  const range = padded(robustExtent(values), false);
  expect(range[1]).toBeLessThan(110);
  expect(countOutside(values, [0, 200])).toEqual({ above: 1, below: 0 });
});

test("a curve keeps its ends, a spike is cut", () => {
  const curve = Float64Array.from({ length: 200 }, (_, i) => 4 * Math.exp(-i / 60));
  expect(relaxedExtent(curve.slice(), 200, false)).toEqual(extent(curve));
  const spiked = curve.slice();
  spiked[70] = 400;
  expect(relaxedExtent(spiked, 200, false)![1]).toBe(4);
});

test("on a log axis it is decades that count", () => {
  const decades = Float64Array.from({ length: 101 }, (_, i) => 10 ** (i / 10));
  expect(relaxedExtent(decades.slice(), 101, true)).toEqual([1, 1e10]);
  expect(relaxedExtent(decades.slice(), 101, false)![1]).toBeLessThan(1e10);
});

test("of a handful of values, each its own run, none is hidden unless it is far away", () => {
  expect(relaxedExtent(Float64Array.of(0.2, 1.4, 0.5, 0.8, 1.1), 5, false)).toEqual([0.2, 1.4]);
  expect(relaxedExtent(Float64Array.of(1, 2, 3, 4, 5, 6, 7, 900), 8, false)).toEqual([1, 7]);
});

test("a range gets five hundredths of its height above and below", () => {
  expect(padded([0, 100], false)).toEqual([-5, 105]);
  const [low, high] = padded([1, 100], true);
  expect([Math.log10(low), Math.log10(high)].map((power) => power.toFixed(6))).toEqual([
    "-0.100000",
    "2.100000",
  ]);
});

test("what has no height gets one", () => {
  expect(padded([0, 0], false)).toEqual([-1, 1]);
  expect(padded(null, false)).toEqual([0, 1]);
  expect(padded(null, true)).toEqual([0.1, 10]);
  const [low, high] = padded([5, 5], true);
  expect(low < 5 && high > 5 && low > 0).toBe(true);
});

test.each([3, -3, 1e-4, 2e-45, 1.5e9, 1e300])(
  "%s all along lies in the middle, with a twentieth of it around",
  (value) => {
    const [low, high] = padded([value, value], false);
    expect([low, high].map((end) => (end / value).toFixed(9)).toSorted()).toEqual([
      "0.950000000",
      "1.050000000",
    ]);
    expect(low).toBeLessThan(high);
  },
);

test("the same but for the last bit is the same", () => {
  const [low, high] = padded([0.1 + 0.2, 0.3], false);
  expect([low.toFixed(9), high.toFixed(9)]).toEqual(["0.285000000", "0.315000000"]);
});

test("the smallest number there is still has a range", () => {
  const [low, high] = padded([Number.MIN_VALUE, Number.MIN_VALUE], false);
  expect(high - low).toBeGreaterThan(Number.MIN_VALUE);
  expect(linearTicks(low, high, 5).values).toContain(0);
});

test("of what is nearly always the same nothing is cut: there is no curve to press flat", () => {
  const schedule = Float64Array.from({ length: 200 }, (_, i) => (i === 70 ? 4 : 3));
  expect(relaxedExtent(schedule.slice(), 200, false)).toEqual([3, 4]);
});

test("the largest numbers there are still have a finite range", () => {
  const [low, high] = padded([-Number.MAX_VALUE, Number.MAX_VALUE], false);
  expect(Number.isFinite(high - low)).toBe(true);
});

test("x is what the data spans; one step alone gets room", () => {
  expect([xDomain([0, 9990]), xDomain([7, 7]), xDomain(null)]).toEqual([
    [0, 9990],
    [6.5, 7.5],
    [0, 1],
  ]);
});
