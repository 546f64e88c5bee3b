import { expect, test } from "vitest";
import type { Points } from "../data/feed";
import { curveOf, difference, valueAt } from "./difference";

function points(x: number[], y: number[], part: Partial<Points> = {}): Points {
  return {
    run: 1,
    x: Float64Array.from(x),
    y: Float64Array.from(y),
    aux: null,
    sx: null,
    sy: null,
    restarts: new Float64Array(),
    raw: true,
    held: x.length,
    inRange: x.length,
    ...part,
  };
}

test("a difference is measured at the same x, straight between the points of the baseline", () => {
  const found = difference(points([0, 5, 10], [3, 4, 9]), points([0, 10], [1, 3]), 0);
  expect([[...found.x], [...found.y]]).toEqual([
    [0, 5, 10],
    [2, 2, 6],
  ]);
});

test("where the baseline has no value there is no difference", () => {
  const found = difference(points([0, 5, 20], [3, 4, 9]), points([4, 10], [1, 1]), 0);
  expect([[...found.x], [...found.y]]).toEqual([[5], [3]]);
});

test("the baseline less itself is nothing", () => {
  const base = points([0, 1, 2], [3, 4, 5]);
  expect([...difference(base, base, 0.6).y]).toEqual([0, 0, 0]);
});

test("smoothed points sent by the server are compared with the smoothed baseline", () => {
  const sent = points([0, 1], [9, 9], { sx: Float64Array.of(0, 1), sy: Float64Array.of(4, 5) });
  const base = points([0, 1], [0, 0], { sx: Float64Array.of(0, 1), sy: Float64Array.of(1, 3) });
  expect([...difference(sent, base, 0.6).sy!]).toEqual([3, 2]);
});

test("of a baseline that was started again the later points hold", () => {
  const curve = curveOf(Float64Array.of(0, 1, 2, 1, 2, 3), Float64Array.of(0, 10, 20, 1, 2, 3));
  expect([valueAt(curve, 1), valueAt(curve, 1.5), valueAt(curve, 0), valueAt(curve, 4)]).toEqual([
    1,
    1.5,
    0,
    Number.NaN,
  ]);
});
