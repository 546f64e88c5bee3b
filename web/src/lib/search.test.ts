import { expect, test } from "vitest";
import { lowerBound, nearestIndex, upperBound } from "./search";

const column = [1, 3, 3, 3, 7];

test("bounds stand before and after equal values", () => {
  expect([lowerBound(column, 3), upperBound(column, 3)]).toEqual([1, 4]);
});

test("bounds beyond the column are its ends", () => {
  expect([lowerBound(column, 0), lowerBound(column, 9), upperBound(column, 9)]).toEqual([0, 5, 5]);
});

test("bounds keep to the span they are given", () => {
  expect([lowerBound(column, 0, 2, 4), upperBound(column, 9, 2, 4)]).toEqual([2, 4]);
});

test("the nearest is the first of equals, and the left one of two as near", () => {
  expect([0, 2, 4, 5, 6, 99].map((value) => nearestIndex(column, value))).toEqual([0, 0, 1, 1, 4, 4]);
});

test("an empty span has no nearest", () => {
  expect(nearestIndex(column, 3, 2, 2)).toBe(-1);
});
