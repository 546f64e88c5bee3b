import { expect, test } from "vitest";
import { distanceTo, positionTip } from "./tip-position";

const window = { width: 1440, height: 900 };
const tip = { width: 300, height: 120 };
const card = { left: 332, right: 688 };

test("it stands on the side with more of the window free", () => {
  const left = (x: number) => positionTip(tip, { x, y: 300 }, null, window).x;
  expect([left(400), left(1000)]).toEqual([424, 1000 - 24 - 300]);
});

test("beside the card, if that is not far from the pointer", () => {
  expect(positionTip(tip, { x: 620, y: 300 }, card, window).x).toBe(card.right + 8);
  expect(positionTip(tip, { x: 1150, y: 300 }, { left: 1068, right: 1424 }, window).x).toBe(1068 - 8 - 300);
});

test("else no further from the pointer than the eye follows", () => {
  expect(positionTip(tip, { x: 400, y: 300 }, card, window).x).toBe(400 + 112);
});

test("at least 24 pixels from the pointer, also at the edge of the card", () => {
  expect(positionTip(tip, { x: 680, y: 300 }, card, window).x).toBe(704);
});

test("above the finger on a phone, below it at the top", () => {
  const phone = { width: 390, height: 844 };
  expect(positionTip(tip, { x: 200, y: 400 }, card, phone)).toEqual({ x: 50, y: 400 - 24 - 120 });
  expect(positionTip(tip, { x: 250, y: 100 }, card, phone)).toEqual({ x: 82, y: 124 });
});

test("always whole inside the window", () => {
  expect(positionTip(tip, { x: 1438, y: 899 }, null, window)).toEqual({
    x: 1438 - 24 - 300,
    y: 900 - 8 - 120,
  });
  const large = { width: 380, height: 1000 };
  expect(positionTip(large, { x: 200, y: 2 }, null, { width: 390, height: 844 })).toEqual({ x: 8, y: 8 });
});

test("a place inside a box is no distance from it, one beside it is as far as its nearest point", () => {
  const box = { left: 100, right: 200, top: 50, bottom: 80 };
  const far = (x: number, y: number) => distanceTo(box, { x, y });
  expect([far(150, 60), far(90, 60), far(150, 100), far(203, 84)]).toEqual([0, 10, 20, 5]);
});
