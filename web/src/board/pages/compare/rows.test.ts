import { expect, test } from "vitest";
import { configRows, difference, isBetter, metricRow } from "./rows";

const run = (config: Record<string, number | string | boolean>) => ({ config });
const stats = (last: number, min: number, max: number, mean = 0) => ({ last, min, max, mean });

test("what differs comes first, what is equal is apart", () => {
  const rows = configRows([
    run({ lr: 3e-4, layers: 12, wd: 0.01, note: "a" }),
    run({ lr: 1e-4, layers: 12, wd: 0.01 }),
  ]);
  expect(rows).toEqual({
    differing: [
      { key: "lr", values: [3e-4, 1e-4] },
      { key: "note", values: ["a", undefined] },
    ],
    equal: [
      { key: "layers", values: [12, 12] },
      { key: "wd", values: [0.01, 0.01] },
    ],
  });
});

test("a number and its text are not equal", () => {
  expect(configRows([run({ bs: 32 }), run({ bs: "32" })]).equal).toEqual([]);
});

test("the best of a loss is its least, and the star goes to the least of all", () => {
  expect(metricRow("eval/loss", [stats(0.5, 0.4, 2), stats(0.6, 0.3, 2), undefined], "best")).toEqual({
    tag: "eval/loss",
    stat: "min",
    direction: "down",
    values: [0.4, 0.3, null],
    best: [1],
  });
});

test("nothing is best among equals, or where the name says nothing", () => {
  expect(metricRow("acc", [stats(1, 0, 1), stats(1, 0, 1)], "last").best).toEqual([]);
  expect(metricRow("lr", [stats(1, 0, 1), stats(2, 0, 1)], "last").best).toEqual([]);
});

test("two runs may both be best", () => {
  expect(metricRow("acc", [stats(1, 0, 1), stats(1, 0, 1), stats(0, 0, 1)], "last").best).toEqual([0, 1]);
});

test("a swap of the baseline changes the sign", () => {
  expect([difference(0.5, 0.25), difference(0.25, 0.5)]).toEqual([0.25, -0.25]);
});

test("there is no difference from what is not there, or not finite", () => {
  expect([difference(null, 1), difference(1, null), difference(Number.NaN, 1)]).toEqual([null, null, null]);
});

test.each([
  [-0.1, "down", true],
  [0.1, "down", false],
  [0.1, "up", true],
  [0, "up", null],
  [1, null, null],
] as const)("a difference of %s where %s is good: %s", (apart, direction, better) => {
  expect(isBetter(apart, direction)).toBe(better);
});
