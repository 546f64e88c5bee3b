import { describe, expect, test } from "vitest";
import { arrivalOf, curveBetween, curveThrough, distanceTo, loopAt, pointsOf } from "./curve";

describe("a line", () => {
  test("leaves and arrives upright", () => {
    const curve = curveThrough([
      { x: 0, y: 0 },
      { x: 100, y: 50 },
    ]);
    expect(curve[2]).toBe(0);
    expect(arrivalOf(curve)).toEqual({ x: 0, y: 1 });
  });

  test("passes every point, and never swings past one", () => {
    const points = [
      { x: 0, y: 0 },
      { x: 40, y: 50 },
      { x: 42, y: 100 },
      { x: 42, y: 150 },
      { x: 0, y: 200 },
    ];
    const passed = pointsOf(curveThrough(points));
    for (const point of points) expect(passed).toContainEqual(point);
    expect(Math.max(...passed.map(({ x }) => x))).toBeLessThanOrEqual(42);
    expect(Math.min(...passed.map(({ x }) => x))).toBeGreaterThanOrEqual(0);
  });

  test("goes up in a cycle", () => {
    expect(
      arrivalOf(
        curveThrough([
          { x: 0, y: 90 },
          { x: 9, y: 0 },
        ]),
      ),
    ).toEqual({ x: 0, y: -1 });
  });

  test("has a distance to any point", () => {
    const curve = curveThrough([
      { x: 0, y: 0 },
      { x: 0, y: 100 },
    ]);
    expect(distanceTo(curve, { x: 3, y: 50 })).toBeCloseTo(3);
    expect(distanceTo(curve, { x: 0, y: 104 })).toBeCloseTo(4);
  });

  test("of nothing is nothing", () => {
    expect(curveThrough([])).toEqual([]);
    expect(pointsOf([])).toEqual([]);
  });
});

test("boxes side by side are joined at their sides, others above and below", () => {
  const left = { x: 0, y: 0, width: 10, height: 10 };
  expect(curveBetween(left, { ...left, x: 50 }).slice(0, 2)).toEqual([10, 5]);
  expect(curveBetween(left, { ...left, y: 50 }).slice(0, 2)).toEqual([5, 10]);
});

test("a loop leaves a box at its bottom and arrives at its right side", () => {
  const loop = loopAt({ x: 10, y: 20, width: 80, height: 36 });
  const points = pointsOf(loop);
  expect([points[0], points.at(-1)]).toEqual([
    { x: 76, y: 56 },
    { x: 90, y: 49 },
  ]);
  expect(arrivalOf(loop)).toEqual({ x: -1, y: 0 });
  expect(points.slice(1, -1).every(({ x, y }) => x > 90 || y > 56)).toBe(true);
});
