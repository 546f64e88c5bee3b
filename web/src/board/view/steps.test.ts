import { expect, test } from "vitest";
import { nearestStepIndex, valueIndexAt } from "./steps";

test("the nearest step is found, the later of two that are as near", () => {
  const steps = [0, 10, 20];
  expect([-5, 0, 4, 5, 6, 19, 99].map((step) => nearestStepIndex(steps, step))).toEqual([
    0, 0, 0, 1, 1, 2, 2,
  ]);
});

test("in an empty list nothing is near", () => {
  expect(nearestStepIndex([], 3)).toBe(-1);
});

test("of several values at one step the last counts, also where steps go back", () => {
  expect(valueIndexAt([0, 10, 20, 10], 11)).toBe(3);
});

test("without a step the last value counts", () => {
  expect(valueIndexAt([0, 10, 5], null)).toBe(2);
});
