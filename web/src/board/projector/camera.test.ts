import { describe, expect, test } from "vitest";
import {
  type Camera,
  type Extent,
  emptyScreenPositions,
  fitCamera,
  panCamera,
  project,
  turnCamera,
  zoomCamera,
} from "./camera";

const SIZE = { width: 400, height: 200 };
const FLAT: Extent = { dims: 2, radius: 7.1, least: [0, 0, 0], most: [10, 10, 0] };
const SOLID: Extent = { dims: 3, radius: Math.sqrt(3), least: [-1, -1, -1], most: [1, 1, 1] };

function places(points: readonly number[], extent: Extent, camera: Camera) {
  const out = emptyScreenPositions(points.length / 3);
  project(new Float32Array(points), extent, camera, SIZE, out);
  return [...out.x].map((x, at) => [Math.round(x), Math.round(out.y[at]!)]);
}

describe("two dimensions", () => {
  test("fitted, the middle stands in the middle and every corner in sight", () => {
    const camera = fitCamera(FLAT, SIZE);
    expect(places([5, 5, 0, 0, 0, 0, 10, 10, 0], FLAT, camera)).toEqual([
      [200, 100],
      [111, 189],
      [289, 11],
    ]);
  });

  test("fitted beside something, no point stands under it", () => {
    const wide = { ...FLAT, most: [40, 10, 0] };
    const camera = fitCamera(wide, SIZE, 100);
    const [first, last] = places([0, 5, 0, 40, 5, 0], wide, camera) as [[number, number], [number, number]];
    expect([first[0] > 100, last[0] < 400]).toEqual([true, true]);
    expect(Math.abs((first[0] + last[0]) / 2 - 250)).toBeLessThanOrEqual(1);
  });

  test("one point alone has a place", () => {
    const alone = { dims: 2, radius: 0, least: [3, 4, 0], most: [3, 4, 0] };
    expect(places([3, 4, 0], alone, fitCamera(alone, SIZE))).toEqual([[200, 100]]);
  });

  test("a pan moves points with the pointer", () => {
    const camera = panCamera(fitCamera(FLAT, SIZE), SIZE, 30, -20);
    expect(places([5, 5, 0], FLAT, camera)).toEqual([[230, 80]]);
  });

  test("a zoom keeps what is under the pointer", () => {
    // 5 units to the right of the middle and 2 above it.
    const camera = { x: 5, y: 5, span: 20, yaw: 0, pitch: 0 };
    expect(places([10, 7, 0], FLAT, camera)).toEqual([[250, 80]]);
    expect(places([10, 7, 0], FLAT, zoomCamera(camera, SIZE, 0.25, 250, 80))).toEqual([[250, 80]]);
  });
});

describe("three dimensions", () => {
  const straight = { ...fitCamera(SOLID, SIZE), yaw: 0, pitch: 0 };

  test("what is nearer is drawn larger and told to be nearer", () => {
    const out = emptyScreenPositions(2);
    project(new Float32Array([1, 0, 1, 1, 0, -1]), SOLID, straight, SIZE, out);
    expect(out.x[0]! - 200).toBeGreaterThan(out.x[1]! - 200);
    expect(out.far[0]!).toBeLessThan(out.far[1]!);
  });

  test("a quarter turn brings z to the right", () => {
    const camera = turnCamera(straight, SIZE, SIZE.height / 2, 0);
    const [[x]] = places([0, 0, 1], SOLID, camera) as [[number, number]];
    expect(camera.yaw).toBeCloseTo(Math.PI / 2);
    expect(x).toBeGreaterThan(220);
  });

  test("nobody turns over the top", () => {
    expect(turnCamera(straight, SIZE, 0, 9_999).pitch).toBe(Math.PI / 2);
  });

  test("every corner stays in sight, however it is turned", () => {
    const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [x, y, z])));
    for (const yaw of [0, 0.7, 2, 4]) {
      for (const [x, y] of places(corners, SOLID, { ...fitCamera(SOLID, SIZE), yaw, pitch: 0.5 })) {
        expect(x! > 0 && x! < 400 && y! > -12 && y! < 212).toBe(true);
      }
    }
  });
});
