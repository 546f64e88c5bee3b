import { expect, test } from "vitest";
import { pictureOf, seriesOf } from "./chart.fixture";
import { zoomOfBox, zoomOfFactor, zoomOfPan } from "./zoom";

const picture = pictureOf([seriesOf(1, [0, 100], [0, 10])], { yRange: [0, 10] });

test("a box is a range of x and of y, whichever way it was dragged", () => {
  const box = { left: 86, top: 108, right: 46, bottom: 58 };
  expect(zoomOfBox(picture, box, false)).toEqual({ x: [10, 50], y: [0, 5] });
});

test("a band is a range of x alone", () => {
  expect(zoomOfBox(picture, { left: 46, top: 10, right: 86, bottom: 15 }, true)).toEqual({
    x: [10, 50],
    y: null,
  });
});

test("a box ends at the edges of the plot", () => {
  const box = { left: 0, top: -50, right: 900, bottom: 500 };
  expect(zoomOfBox(picture, box, false)).toEqual({ x: [0, 100], y: [0, 10] });
});

test("a pan moves what is under the pointer along", () => {
  expect(zoomOfPan(picture, 10, 10, false)).toEqual({ x: [-10, 90], y: null });
  expect(zoomOfPan(picture, 10, 10, true)).toEqual({ x: [-10, 90], y: [1, 11] });
});

test("closer and farther keep the place they are around", () => {
  expect(zoomOfFactor(picture, 0.5, { x: 36, y: 58 }, false, "step")).toEqual({ x: [0, 50], y: null });
  expect(zoomOfFactor(picture, 2, { x: 86, y: 58 }, true, "step")).toEqual({ x: [-50, 150], y: [-5, 15] });
});

test("closer than a hundredth of a step is not to be had", () => {
  expect(zoomOfFactor(picture, 1e-5, { x: 86, y: 58 }, false, "step")).toBeNull();
});
