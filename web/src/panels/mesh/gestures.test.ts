import { expect, test } from "vitest";
import { DEFAULT_POSE } from "../../state/meshview";
import { Hand, keyed, wheeled } from "./gestures";
import { moved, turned, USUAL_LENS, zoomed } from "./lens";

const GROUND = { lens: USUAL_LENS, aspect: 2, heightPx: 100 };

test("a pointer that is down turns the camera, one that is not does nothing", () => {
  const hand = new Hand();
  expect(hand.move(1, { x: 5, y: 5 }, DEFAULT_POSE, GROUND)).toBeNull();
  hand.down(1, { x: 0, y: 0 }, false);
  expect(hand.move(1, { x: 5, y: -3 }, DEFAULT_POSE, GROUND)).toEqual(turned(DEFAULT_POSE, 5, -3));
  hand.up(1);
  expect(hand.busy).toBe(false);
});

test("with the other button it moves aside", () => {
  const hand = new Hand();
  hand.down(1, { x: 0, y: 0 }, true);
  expect(hand.move(1, { x: 5, y: -3 }, DEFAULT_POSE, GROUND)).toEqual(
    moved(DEFAULT_POSE, 5, -3, USUAL_LENS, 2, 100),
  );
});

test("two fingers that part come nearer", () => {
  const hand = new Hand();
  hand.down(1, { x: 0, y: 0 }, false);
  hand.down(2, { x: 100, y: 0 }, false);
  expect(hand.move(2, { x: 200, y: 0 }, DEFAULT_POSE, GROUND)).toEqual(
    zoomed(moved(DEFAULT_POSE, 50, 0, USUAL_LENS, 2, 100), 2),
  );
});

test("keys turn, move, zoom and go back", () => {
  expect(keyed(DEFAULT_POSE, "ArrowRight", false, GROUND)).toEqual(turned(DEFAULT_POSE, 12, 0));
  expect(keyed(DEFAULT_POSE, "ArrowUp", true, GROUND)).toEqual(
    moved(DEFAULT_POSE, 0, -24, USUAL_LENS, 2, 100),
  );
  expect(keyed(DEFAULT_POSE, "+", false, GROUND)?.zoom).toBeCloseTo(1.2);
  expect(keyed({ ...DEFAULT_POSE, yaw: 2, zoom: 9 }, "0", false, GROUND)).toEqual(DEFAULT_POSE);
  expect(keyed(DEFAULT_POSE, "a", false, GROUND)).toBeNull();
});

test("a turn of the wheel comes nearer, however far it is turned at once", () => {
  expect(wheeled(DEFAULT_POSE, -100).zoom).toBeCloseTo(Math.exp(0.2));
  expect(wheeled(DEFAULT_POSE, 1e9)).toEqual(wheeled(DEFAULT_POSE, 300));
});
