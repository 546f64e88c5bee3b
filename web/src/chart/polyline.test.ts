import { expect, test } from "vitest";
import { randomNumbers } from "../lib/random";
import { pictureOf, seriesOf } from "./chart.fixture";
import type { ChartModel, ChartSeries } from "./model";
import { Polyline, tracePath } from "./polyline";

function trace(series: ChartSeries, more: Partial<ChartModel> = {}) {
  const picture = pictureOf([series], more);
  const line = new Polyline();
  const traced = tracePath(picture, picture.lines[0]!.main, 1, line);
  const points = [...line.points.subarray(0, 2 * line.length)].map((value) => Math.round(value * 100) / 100);
  return { ...traced, points, starts: line.starts };
}

test("points become pixels of the plot", () => {
  const { points, shown } = trace(seriesOf(1, [0, 50, 100], [0, 20, 0]), { yRange: [0, 20] });
  expect(points).toEqual([36, 108, 86, 8, 136, 108]);
  expect(shown).toBe(3);
});

test("a line is broken where a value is missing, and a point alone is a dot", () => {
  const series = seriesOf(1, [0, 10, 20, 30, 40, 100], [1, 1, Number.NaN, 1, Number.NaN, 1]);
  const { starts, dots, shown } = trace(series, { yRange: [0, 2] });
  expect([starts, dots, shown]).toEqual([[0], [66, 58, 136, 58], 4]);
});

test("points at one step are a line upright, with a dot at the last one", () => {
  const same = trace(seriesOf(1, [5, 5], [1, 1]), { xRange: [0, 10], yRange: [0, 2] });
  const apart = trace(seriesOf(1, [5, 5, 5], [0, 2, 1]), { xRange: [0, 10], yRange: [0, 2] });
  expect([same.points, same.dots, same.shown]).toEqual([[86, 58, 86, 58], [86, 58], 2]);
  expect([apart.points, apart.dots, apart.shown]).toEqual([[86, 108, 86, 8, 86, 58], [86, 58], 3]);
});

test("one point beyond either edge leads the line there, and is not counted", () => {
  const series = seriesOf(1, [0, 10, 20, 30, 40], [0, 0, 0, 0, 0]);
  const { points, shown } = trace(series, { xRange: [15, 25], yRange: [-1, 1] });
  expect(points).toEqual([-14, 58, 86, 58, 186, 58]);
  expect(shown).toBe(1);
});

test("a neighbour very far away leaves the line at its slope", () => {
  const series = seriesOf(1, [0, 1e9], [0, 1e9]);
  const { points } = trace(series, { xRange: [0, 100], yRange: [0, 100] });
  expect(points).toEqual([36, 108, 20_000, -19_856]);
});

test("dense lines keep the extremes of each pixel", () => {
  const random = randomNumbers(9);
  const x = Array.from({ length: 20_000 }, (_, i) => i);
  const y = x.map((i) => (i === 7777 ? 100 : random()));
  const { points, shown } = trace(seriesOf(1, x, y), { yRange: [0, 100] });
  expect(shown).toBeLessThanOrEqual(404);
  expect(Math.min(...points.filter((_, i) => i % 2 === 1))).toBe(8);
});

test("values far outside stay within what a canvas can do", () => {
  const { points } = trace(seriesOf(1, [0, 50, 100], [0, 1e300, 0]), { yRange: [0, 1] });
  expect(points[3]).toBe(-20_000);
});
