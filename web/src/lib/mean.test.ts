import { expect, test } from "vitest";
import { meanOf, middleOf } from "./mean";

test("the order of magnitude of the sum does not matter", () => {
  expect(meanOf([1e16, 1, -1e16])).toBe(1 / 3);
});

test("a mean of finite values is finite", () => {
  expect(meanOf([1.5e308, 1.5e308, 1.5e308])).toBe(1.5e308);
  expect(meanOf([1.5e308, -1.5e308, 1.5e308, -1.5e308])).toBe(0);
  for (const count of [2, 3, 7]) expect(meanOf(Array(count).fill(Number.MAX_VALUE))).toBe(Number.MAX_VALUE);
});

test("half-way between two values lies between them", () => {
  expect([middleOf(1, 4), middleOf(1e308, 1.5e308), middleOf(5e-324, 5e-324)]).toEqual([
    2.5, 1.25e308, 5e-324,
  ]);
});
