import { expect, test } from "vitest";
import { pixelDifference } from "./pixels";

test("equal images are not apart", () => {
  expect(pixelDifference([1, 2, 3, 255], [1, 2, 3, 255])).toEqual({ share: 0, mean: 0, most: 0 });
});

test("share, mean of the colours and greatest difference", () => {
  const a = [0, 0, 0, 255, 10, 10, 10, 255];
  const b = [0, 0, 0, 255, 16, 10, 4, 255];
  expect(pixelDifference(a, b)).toEqual({ share: 0.5, mean: 2, most: 6 });
});

test("a difference of alpha alone is one", () => {
  expect(pixelDifference([9, 9, 9, 0], [9, 9, 9, 255])).toEqual({ share: 1, mean: 0, most: 255 });
});

test("nothing is not apart from nothing", () => {
  expect(pixelDifference([], [])).toEqual({ share: 0, mean: 0, most: 0 });
});
