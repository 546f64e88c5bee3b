import { expect, test } from "vitest";
import type { RangeStats } from "../../api/schema.gen";
import type { Points } from "../data/feed";
import { changeOf, exactStatistics, statisticsOf } from "./statistics";

function points(y: number[], raw = true): Points {
  const x = Float64Array.from(y, (_, i) => i * 10);
  return {
    run: 1,
    x,
    y: Float64Array.from(y),
    aux: null,
    sx: null,
    sy: null,
    restarts: new Float64Array(),
    raw,
    held: y.length,
    inRange: y.length,
  };
}

test("a range counts from its first to its last step, both with it", () => {
  const line = points([5, 4, 6, 2, 3, 9]);
  expect(statisticsOf(line, line.x, [10, 40])).toEqual({
    points: 4,
    start: { value: 4, step: 10 },
    end: { value: 3, step: 40 },
    nonfinite: null,
    partial: null,
    min: { value: 2, step: 30 },
    max: { value: 6, step: 20 },
    mean: 3.75,
    slope: -0.07,
    estimates: [],
  });
});

test("a line that ends in what is no number has no change", () => {
  const line = points([5, 4, 2, Number.NaN, Number.POSITIVE_INFINITY]);
  const whole = statisticsOf(line, line.x, null)!;
  expect([whole.end, whole.nonfinite]).toEqual([
    { value: 2, step: 20 },
    { value: Number.NaN, step: 30 },
  ]);
  expect(changeOf(whole)).toEqual({ by: Number.NaN, part: Number.NaN });
  expect(changeOf(statisticsOf(line, line.x, [0, 20])!).by).toBe(-3);
});

test("a group of which some members end in what is no number says so, and has no change", () => {
  const line = {
    ...points([5, 4, 2]),
    members: Uint32Array.from([3, 3, 1]),
    nonfinite: Uint32Array.from([0, 0, 2]),
  };
  const whole = statisticsOf(line, line.x, null)!;
  expect(whole.partial).toEqual({ members: 1, nonfinite: 2 });
  expect(changeOf(whole)).toEqual({ by: Number.NaN, part: Number.NaN });
  expect(changeOf(statisticsOf(line, line.x, [0, 10])!).by).toBe(-1);
});

test("what is no number does not count", () => {
  const line = points([Number.NaN, 4, Number.POSITIVE_INFINITY, 2]);
  expect(statisticsOf(line, line.x, null)).toMatchObject({
    points: 2,
    start: { value: 4, step: 10 },
    end: { value: 2, step: 30 },
    mean: 3,
  });
});

test("a range without points has no statistics; one point has no slope", () => {
  const line = points([1, 2]);
  expect(statisticsOf(line, line.x, [2, 8])).toBe(null);
  expect(statisticsOf(line, line.x, [0, 5])).toMatchObject({ mean: 1, slope: Number.NaN });
});

test("the mean keeps what plain addition would lose", () => {
  const line = points([1e16, 1, -1e16, 1]);
  expect(statisticsOf(line, line.x, null)!.mean).toBe(0.5);
});

test("the change is told as it is and as a part of the start, whatever its sign", () => {
  const line = points([-4, -3]);
  expect(changeOf(statisticsOf(line, line.x, null)!)).toEqual({ by: 1, part: 0.25 });
});

test("a thinned line says that not all of its points are here", () => {
  const line = points([1, 2], false);
  expect(statisticsOf(line, line.x, null)!.estimates).toEqual(["mean", "slope"]);
});

test("what the server tells of a range is exact", () => {
  const told: RangeStats = {
    ...{ tag: "loss", run: 1, points: 9, first_step: 0, first_value: 3, last_step: 8, last_value: 5 },
    ...{
      lost_step: 9,
      lost_value: "NaN" as const,
      min_step: 4,
      min_value: 1,
      max_step: 6,
      max_value: 7,
      mean: 4,
      slope: "NaN",
    },
  };
  expect(exactStatistics(told)).toEqual({
    points: 9,
    start: { value: 3, step: 0 },
    end: { value: 5, step: 8 },
    nonfinite: { value: Number.NaN, step: 9 },
    partial: null,
    min: { value: 1, step: 4 },
    max: { value: 7, step: 6 },
    mean: 4,
    slope: Number.NaN,
    estimates: [],
  });
});

test("mean and slope of finite values are finite, however large they are", () => {
  const line = points([1e308, 1.2e308, 1.4e308, 1.6e308]);
  const { mean, slope } = statisticsOf(line, line.x, null)!;
  expect([mean, slope / 2e306]).toEqual([1.3e308, expect.closeTo(1, 12)]);
});
