import { expect, test } from "vitest";
import { clock, lengthOf, lengthText, rateText } from "./clip-text";

test.each([
  [0, "0:00.0"],
  [3.25, "0:03.2"],
  [0.3, "0:00.3"],
  [59.99, "0:59.9"],
  [62, "1:02.0"],
  [3725.5, "1:02:05"],
  [-1, "0:00.0"],
])("%f seconds are %s", (seconds, text) => {
  expect(clock(seconds)).toBe(text);
});

test.each([
  [0.0251, "25 ms"],
  [0, "0 ms"],
  [1, "0:01.0"],
])("a clip of %f seconds is %s long", (seconds, text) => {
  expect(lengthText(seconds)).toBe(text);
});

test.each([
  [44_100, "44.1 kHz"],
  [8000, "8 kHz"],
  [22_050, "22.05 kHz"],
  [500, "500 Hz"],
])("a rate of %i is %s", (rate, text) => {
  expect(rateText(rate)).toBe(text);
});

test("a head without rate has no length", () => {
  expect([
    lengthOf({ frames: 8000, rate: 8000 }),
    lengthOf({ frames: 8000, rate: 0 }),
    lengthOf({ frames: null, rate: null }),
  ]).toEqual([1, null, null]);
});
