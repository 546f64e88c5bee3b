import { expect, test } from "vitest";
import type { Points } from "./points";
import { headRange, splice } from "./splice";

function points(x: number[], part: Partial<Points> = {}): Points {
  return {
    run: 1,
    x: Float64Array.from(x),
    y: Float32Array.from(x, (value) => value / 2),
    aux: Float64Array.from(x, (value) => value + 0.5),
    sx: null,
    sy: null,
    restarts: new Float64Array(),
    raw: false,
    held: 1000,
    inRange: 1000,
    ...part,
  };
}

test("the head of a thinned series ends at a power of two that the growing series keeps", () => {
  expect(headRange(null, [points([0, 100_000])])).toEqual([0, 2048]);
  expect(headRange(null, [points([0, 120_000])])).toEqual([0, 2048]);
});

test("there is no head where nothing was left out, or where the view begins late", () => {
  expect(headRange(null, [points([0, 100_000], { raw: true })])).toBeNull();
  expect(headRange([1000, 100_000], [points([1000, 100_000])])).toBeNull();
  expect(headRange(null, [])).toBeNull();
});

test("up to the cut come the points of the head, then those of the whole", () => {
  const both = splice(points([0, 1, 2, 3, 9]), points([0, 4, 8, 12]), 5);
  expect([...both.x]).toEqual([0, 1, 2, 3, 8, 12]);
  expect([...both.y]).toEqual([0, 0.5, 1, 1.5, 4, 6]);
  expect([...both.aux!]).toEqual([0.5, 1.5, 2.5, 3.5, 8.5, 12.5]);
  expect([both.raw, both.held]).toEqual([false, 1000]);
});

test("smoothed points are cut at their own x, and the wider numbers win", () => {
  const head = points([0, 1, 2], { sy: Float64Array.of(5, 6, 7) });
  const whole = points([0, 8], { sx: Float64Array.of(0, 3, 8), sy: Float32Array.of(5, 8, 9) });
  const both = splice(head, whole, 2);
  expect([...both.sx!]).toEqual([0, 1, 2, 3, 8]);
  expect(both.sy).toEqual(Float64Array.of(5, 6, 7, 8, 9));
});

test("where x goes back the whole stays as it is", () => {
  const back = points([0, 8, 4, 9]);
  expect(splice(points([0, 1, 2]), back, 5)).toBe(back);
});
