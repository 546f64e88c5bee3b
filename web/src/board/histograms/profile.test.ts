import { expect, test } from "vitest";
import { bucketAt, bucketsOf, profileOf, totalOf } from "./profile";

const buckets = bucketsOf({
  buckets: [
    [0, 1, 2],
    [1, 3, 6],
  ],
});

test("mass is spread evenly over the cells a bucket crosses", () => {
  expect([...profileOf(buckets, 0, 4, 4)]).toEqual([0.25, 0.375, 0.375, 0]);
  expect([...profileOf(buckets, 2, 4, 2)]).toEqual([0.375, 0]);
});

test("a bucket without width is in one cell, also at the upper end", () => {
  const point = bucketsOf({ buckets: [[2, 2, 5]] });
  expect([...profileOf(point, 0, 2, 2)]).toEqual([0, 1]);
  expect([...profileOf(point, 2, 4, 2)]).toEqual([1, 0]);
});

test("what is no number, or nowhere, counts for nothing", () => {
  const odd = bucketsOf({
    buckets: [
      ["-Infinity", 0, 5],
      [0, 1, "NaN"],
      [0, 1, -3],
      [0, 1, 4],
    ],
  });
  expect(totalOf(odd)).toBe(4);
  expect([...profileOf(odd, 0, 1, 1)]).toEqual([1]);
});

test("a value on an edge belongs to the upper bucket", () => {
  expect([0.5, 1, 3, 9].map((value) => bucketAt(buckets, value)?.count ?? null)).toEqual([2, 6, 6, null]);
});
