import { expect, test } from "vitest";
import type { ChartSeries } from "../../chart";
import { withBands } from "./margins";

function series(run: number, x: number[], y: number[]): ChartSeries {
  return {
    run,
    label: String(run),
    color: "",
    dash: [],
    x: Float64Array.from(x),
    y: Float64Array.from(y),
    aux: null,
    sx: null,
    sy: null,
    restarts: new Float64Array(),
    raw: true,
    held: x.length,
    inRange: x.length,
  };
}

const MARGIN = { value: "v", lower: "l", upper: "u" };

test("a line takes its edges from two other tags of its run, joined linearly", () => {
  const lines = [
    { tag: "v", series: series(1, [0, 1, 2, 3], [5, 6, 7, 8]) },
    { tag: "l", series: series(1, [0, 2], [1, 3]) },
    { tag: "u", series: series(1, [0, 1, 2, 3], [9, Number.NaN, 11, 12]) },
  ];
  const [drawn] = withBands(lines, [MARGIN]);
  expect([drawn!.run, [...drawn!.lo!], [...drawn!.hi!]]).toEqual([1, [1, 2, 3, 8], [9, 10, 11, 12]]);
  expect(withBands(lines, [MARGIN])[0]).toBe(drawn);
});

test("a run that lacks an edge has its line alone, and one without the value has none", () => {
  const value = series(2, [0], [1]);
  const lines = [
    { tag: "v", series: value },
    { tag: "l", series: series(2, [0], [0]) },
    { tag: "l", series: series(3, [0], [0]) },
  ];
  expect(withBands(lines, [MARGIN])).toEqual([value]);
});
