import { expect, test } from "vitest";
import { blockOf } from "./block.fixture";
import { columnAt, columnOf, edgesOf, filledShare, placesOf, spanOf } from "./columns";

const merged = blockOf([0, 10, 20], {
  lastSteps: Float64Array.of(9, 19, 29),
  members: Uint32Array.of(10, 10, 10),
});

test("columns of one step reach half way to their neighbours", () => {
  expect([...edgesOf(blockOf([0, 10, 40]), "step")]).toEqual([-5, 5, 25, 55]);
  expect([...edgesOf(blockOf([7]), "step")]).toEqual([6.5, 7.5]);
  expect([...edgesOf(blockOf([]), "step")]).toEqual([0]);
});

test("columns of several steps begin at their first", () => {
  expect([...edgesOf(merged, "step")]).toEqual([0, 10, 20, 30]);
});

test("times count from the first value, or from the epoch", () => {
  const block = blockOf([5, 10], { firstWall: 100, walls: Float64Array.of(100, 103) });
  expect([[...placesOf(block, "relative")], [...placesOf(block, "wall")]]).toEqual([
    [0, 3],
    [100, 103],
  ]);
});

test("all runs have one span", () => {
  expect(spanOf([blockOf([0, 10]), blockOf([]), blockOf([20, 30])], "step", false)).toEqual([-5, 35]);
  expect(spanOf([blockOf([])], "step", false)).toBeNull();
});

test("curves stand at their steps, the last at the end", () => {
  expect(spanOf([blockOf([0, 10]), blockOf([20])], "step", true)).toEqual([0, 20]);
  expect(spanOf([blockOf([20])], "step", true)).toEqual([19, 20]);
});

test("a place belongs to its column, the nearest one outside", () => {
  const edges = edgesOf(blockOf([0, 10, 40]), "step");
  expect([-100, 0, 4.9, 5, 24, 26, 900].map((x) => columnAt(edges, x))).toEqual([0, 0, 0, 1, 1, 2, 2]);
  expect(columnAt(edgesOf(blockOf([]), "step"), 3)).toBe(-1);
});

test("a step is found where it is held, or nearest; none is the last", () => {
  expect([null, 0, 12, 19, 100].map((step) => columnOf(merged, step))).toEqual([2, 0, 1, 1, 2]);
  expect([3, 26].map((step) => columnOf(blockOf([0, 10, 40]), step))).toEqual([0, 2]);
  expect(columnOf(blockOf([]), 3)).toBe(-1);
});

test("a step that comes twice is the later one", () => {
  expect(columnOf(blockOf([0, 5, 5]), 5)).toBe(2);
});

test("how much of the height the mass fills leaves out what is empty", () => {
  const lines = Array.from({ length: 9 }, (_, at) => Float32Array.of(at === 1 ? -1 : at / 8, Number.NaN));
  expect(filledShare(blockOf([0, 1], { lines }), 1, 7)).toBeCloseTo(7 / 8);
});
