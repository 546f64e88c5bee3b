import { expect, test } from "vitest";
import { randomNumbers } from "../lib/random";
import { downsampleColumns } from "./downsample";

/** First, lowest, highest and last index of each column, by looking at all points of all columns. */
function reference(x: number[], y: number[], columns: number, width: number): number[] {
  const kept = new Set<number>();
  for (let column = 0; column < columns; column++) {
    const inside = x.flatMap((value, i) => (Math.floor(value / width) === column ? [i] : []));
    if (inside.length === 0) continue;
    const lowest = inside.reduce((best, i) => (y[i]! < y[best]! ? i : best));
    const highest = inside.reduce((best, i) => (y[i]! > y[best]! ? i : best));
    for (const i of [inside[0]!, lowest, highest, inside.at(-1)!]) kept.add(i);
  }
  return [...kept].sort((a, b) => a - b);
}

function thin(x: number[], y: number[], from: number, to: number, width: number): number[] {
  const kept = new Uint32Array(to - from);
  return [...kept.subarray(0, downsampleColumns(x, y, from, to, 0, 1 / width, kept))];
}

test.each([1, 2, 3, 4, 5])(
  "random data: exactly the first, lowest, highest and last of each column (%s)",
  (seed) => {
    const random = randomNumbers(seed);
    const x = Array.from({ length: 2000 }, () => random() * 64).sort((a, b) => a - b);
    const y = x.map(() => Math.floor(random() * 50));
    expect(thin(x, y, 0, x.length, 0.5)).toEqual(reference(x, y, 128, 0.5));
  },
);

test("a column of one, two or three points is kept whole", () => {
  const x = [0, 1, 1.5, 2, 2.2, 2.4];
  expect(thin(x, [5, 1, 2, 3, 9, 3], 0, 6, 1)).toEqual([0, 1, 2, 3, 4, 5]);
});

test("only the span asked for is looked at", () => {
  const x = [0, 0.1, 0.2, 0.3, 0.4, 0.5];
  expect(thin(x, [9, 1, 2, 3, 2, 9], 1, 5, 1)).toEqual([1, 3, 4]);
});

test("a column without height is its two ends", () => {
  expect(thin([0, 0.1, 0.2, 0.3], [1, 1, 1, 1], 0, 4, 1)).toEqual([0, 3]);
});
