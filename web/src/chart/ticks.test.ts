import { expect, test } from "vitest";
import { linearTicks, logTicks, plainLabel, symlogTicks } from "./ticks";

test.each<[number, number, number, string]>([
  [0, 9_990, 5, "0 2000 4000 6000 8000"],
  [0, 9_990, 4, "0 2500 5000 7500"],
  [0, 10_000, 5, "0 2.5k 5.0k 7.5k 10.0k"],
  [0, 100_000, 5, "0 25k 50k 75k 100k"],
  [118_000, 150_000, 5, "120k 130k 140k 150k"],
  [-0.5, 1, 5, "−0.5 0 0.5 1.0"],
  [0.3, 4.6, 5, "1 2 3 4"],
  [0, 1.05e-3, 5, "0 2.5e-4 5.0e-4 7.5e-4 1.0e-3"],
  [0, 8e-4, 5, "0 2e-4 4e-4 6e-4 8e-4"],
  [0.0998, 0.1002, 5, "0.0998 0.0999 0.1000 0.1001 0.1002"],
  [-3e6, 1e6, 5, "−3M −2M −1M 0 1M"],
  [1_234_560, 1_234_600, 5, "1234560 1234570 1234580 1234590 1234600"],
  [0, 4e21, 5, "0 1e21 2e21 3e21 4e21"],
])("from %s to %s at most %s: %s", (min, max, count, labels) => {
  expect(linearTicks(min, max, count).labels.join(" ")).toBe(labels);
});

test("ticks are the decimal numbers they say, inside the range, never more than asked for", () => {
  for (const [min, max] of [
    [0.1, 0.7],
    [-1e-7, 3e-7],
    [3.3, 3.35],
    [1e300, 9e300],
  ] as const) {
    for (const count of [1, 2, 3, 4, 5, 8]) {
      const { values } = linearTicks(min, max, count);
      expect(values.length).toBeLessThanOrEqual(count);
      for (const value of values) {
        expect(value).toBeGreaterThanOrEqual(min);
        expect(value).toBeLessThanOrEqual(max);
        expect(Number(value.toPrecision(6))).toBe(value);
      }
    }
  }
});

test("steps have whole ticks only", () => {
  expect(linearTicks(0, 3, 5, true).labels).toEqual(["0", "1", "2", "3"]);
  expect(linearTicks(3.2, 4.4, 5, true).values).toEqual([4]);
  expect(linearTicks(0, 10, 5, true).values).toEqual([0, 5, 10]);
});

test("a range too narrow for numbers has one tick", () => {
  expect(linearTicks(1, 1, 5)).toEqual({ values: [1], labels: ["1"] });
  expect(linearTicks(1e9, 1e9 + 1e-7, 5).values).toEqual([1e9]);
});

test.each<[number, number, string]>([
  [0.09, 3, "0.1 0.2 0.5 1 2"],
  [1e-5, 1, "1e-5 1e-4 1e-3 0.01 0.1 1"],
  [1e-9, 1e9, "1e-8 1e-4 1 10k 100M"],
  [0.4, 60, "0.5 1 2 5 10 20 50"],
  [2.1, 2.6, "2.1 2.2 2.3 2.4 2.5 2.6"],
])("a log axis from %s to %s: %s", (min, max, labels) => {
  expect(logTicks(min, max, 6).labels.join(" ")).toBe(labels);
});

test("a symmetric log axis has zero and powers on both sides", () => {
  const { values } = symlogTicks(-1000, 1000, 7);
  expect(values).toEqual([-1000, -100, -10, -1, 0, 1, 10, 100, 1000]);
});

test("a number alone is short", () => {
  expect([0, 0.05, 2e-3, -50_000, 1.25e6, 3e22].map(plainLabel)).toEqual([
    "0",
    "0.05",
    "2e-3",
    "−50k",
    "1.25M",
    "3e22",
  ]);
});
