import { describe, expect, test } from "vitest";
import { DEFAULT_POSE, MAX_PITCH } from "../view/mesh-view";
import {
  DEFAULT_CAMERA,
  frameOf,
  joinedBox,
  matrixOf,
  movePose,
  project,
  turnPose,
  type Vector,
  zoomPose,
} from "./camera";

const AHEAD = { ...DEFAULT_POSE, yaw: 0, pitch: 0 };
const FLAT = { orthographic: true, fov: 45 };
const BALL = { center: [10, 20, 30] as Vector, radius: 2 };
const HERE: Vector = [0, 0, 0];

function seen(point: Vector, pose = AHEAD, camera = DEFAULT_CAMERA, middle: Vector = BALL.center) {
  return project(matrixOf(BALL, middle, pose, camera, 2), point, 200, 100);
}

describe("a camera", () => {
  test.each([DEFAULT_CAMERA, FLAT])("looks at the middle of what it shows", (camera) => {
    const at = seen(HERE, { ...DEFAULT_POSE, zoom: 7 }, camera);
    expect([at?.x, at?.y]).toEqual([expect.closeTo(100), expect.closeTo(50)]);
  });

  test.each([DEFAULT_CAMERA, FLAT])("has x to the right, y upward and z towards it", (camera) => {
    const [right, up, near, far] = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [0, 0, -1],
    ].map((point) => seen(point as unknown as Vector, AHEAD, camera));
    expect(right!.x).toBeGreaterThan(100);
    expect(up!.y).toBeLessThan(50);
    expect(near!.depth).toBeLessThan(far!.depth);
  });

  test("shows the whole ball in the shorter side, and not much more", () => {
    expect(seen([0, 2, 0])!.y).toBeGreaterThan(0);
    expect(seen([0, 2, 0])!.y).toBeLessThan(10);
    expect(seen([0, 2, 0], AHEAD, FLAT)!.y).toBeCloseTo(0);
  });

  test("a mesh that counts from elsewhere lies where it is", () => {
    const here = seen([1, 1, 1]);
    const there = seen([2, 3, 4], AHEAD, DEFAULT_CAMERA, [9, 18, 27]);
    expect(there!.x).toBeCloseTo(here!.x, 3);
    expect(there!.y).toBeCloseTo(here!.y, 3);
  });

  test("turned to the left sees what was to its right come near", () => {
    const quarter = { ...AHEAD, yaw: Math.PI / 2 };
    expect(seen([1, 0, 0], quarter)!.depth).toBeLessThan(seen([-1, 0, 0], quarter)!.depth);
  });

  test("what lies behind it is not there", () => {
    expect(seen([0, 0, 100])).toBeNull();
  });
});

describe("gestures", () => {
  test("a drag down raises the camera, as far as it goes", () => {
    expect(turnPose(AHEAD, 0, 10).pitch).toBeGreaterThan(0);
    expect(turnPose(AHEAD, 0, 9999).pitch).toBe(MAX_PITCH);
  });

  test.each([DEFAULT_CAMERA, FLAT])("what is under the pointer moves with it", (camera) => {
    const at = seen(HERE, movePose(AHEAD, 30, -10, camera, 2, 100), camera);
    expect([at?.x, at?.y]).toEqual([expect.closeTo(130), expect.closeTo(40)]);
  });

  test("a zoom brings what is seen nearer", () => {
    expect(seen([1, 0, 0], zoomPose(AHEAD, 2))!.x).toBeGreaterThan(seen([1, 0, 0])!.x);
  });
});

describe("what is shown", () => {
  test("is the ball around the box; a point has one as well", () => {
    expect(frameOf([0, 0, 0], [2, 4, 4])).toEqual({ center: [1, 2, 2], radius: 3 });
    expect(frameOf([5, 5, 5], [5, 5, 5])).toEqual({ center: [5, 5, 5], radius: 1 });
  });

  test("of several meshes is the box around all", () => {
    const one = { low: [0, 0, 0] as Vector, high: [1, 1, 1] as Vector };
    const other = { low: [-1, 0.5, 0] as Vector, high: [0, 3, 1] as Vector };
    expect(joinedBox(null, one)).toEqual(one);
    expect(joinedBox(one, other)).toEqual({ low: [-1, 0, 0], high: [1, 3, 1] });
  });
});
