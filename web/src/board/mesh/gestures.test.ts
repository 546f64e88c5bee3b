import { expect, test } from "vitest";
import { DEFAULT_POSE } from "../view/mesh-view";
import { DEFAULT_CAMERA, movePose, turnPose, zoomPose } from "./camera";
import { PointerGestures, poseAfterKey, poseAfterWheel } from "./gestures";

const GROUND = { camera: DEFAULT_CAMERA, aspect: 2, heightPx: 100 };

test("a pointer that is down turns the camera, one that is not does nothing", () => {
  const hand = new PointerGestures();
  expect(hand.move(1, { x: 5, y: 5 }, DEFAULT_POSE, GROUND)).toBeNull();
  hand.down(1, { x: 0, y: 0 }, false);
  expect(hand.move(1, { x: 5, y: -3 }, DEFAULT_POSE, GROUND)).toEqual(turnPose(DEFAULT_POSE, 5, -3));
  hand.up(1);
  expect(hand.busy).toBe(false);
});

test("with the other button it moves aside", () => {
  const hand = new PointerGestures();
  hand.down(1, { x: 0, y: 0 }, true);
  expect(hand.move(1, { x: 5, y: -3 }, DEFAULT_POSE, GROUND)).toEqual(
    movePose(DEFAULT_POSE, 5, -3, DEFAULT_CAMERA, 2, 100),
  );
});

test("two fingers that part come nearer", () => {
  const hand = new PointerGestures();
  hand.down(1, { x: 0, y: 0 }, false);
  hand.down(2, { x: 100, y: 0 }, false);
  expect(hand.move(2, { x: 200, y: 0 }, DEFAULT_POSE, GROUND)).toEqual(
    zoomPose(movePose(DEFAULT_POSE, 50, 0, DEFAULT_CAMERA, 2, 100), 2),
  );
});

test("keys turn, move, zoom and go back", () => {
  expect(poseAfterKey(DEFAULT_POSE, "ArrowRight", false, GROUND)).toEqual(turnPose(DEFAULT_POSE, 12, 0));
  expect(poseAfterKey(DEFAULT_POSE, "ArrowUp", true, GROUND)).toEqual(
    movePose(DEFAULT_POSE, 0, -24, DEFAULT_CAMERA, 2, 100),
  );
  expect(poseAfterKey(DEFAULT_POSE, "+", false, GROUND)?.zoom).toBeCloseTo(1.2);
  expect(poseAfterKey({ ...DEFAULT_POSE, yaw: 2, zoom: 9 }, "0", false, GROUND)).toEqual(DEFAULT_POSE);
  expect(poseAfterKey(DEFAULT_POSE, "a", false, GROUND)).toBeNull();
});

test("a turn of the wheel comes nearer, however far it is turned at once", () => {
  expect(poseAfterWheel(DEFAULT_POSE, -100).zoom).toBeCloseTo(Math.exp(0.2));
  expect(poseAfterWheel(DEFAULT_POSE, 1e9)).toEqual(poseAfterWheel(DEFAULT_POSE, 300));
});
