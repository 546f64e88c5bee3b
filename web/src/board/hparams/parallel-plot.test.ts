import { expect, test } from "vitest";
import { layLines, lineAt, MISSING_PX } from "./parallel-plot";
import { scaleOf } from "./scales";

const box = { top: 0, bottom: 100, axes: [0, 100, 200] };
const columns = [
  [0, 10],
  [10, 0],
  [null, 5],
].map((cells) => ({ cells, scale: scaleOf(cells, "linear") }));
const ys = layLines(columns, 2, box);

test("lines run from axis to axis, below them where there is no value", () => {
  expect([...ys]).toEqual([100, 0, 100 + MISSING_PX, 0, 100, 50]);
});

test("the nearest line is found, if one is near and not left out", () => {
  expect(lineAt(ys, [0, 1], box, 10, 88)).toBe(0);
  expect(lineAt(ys, [0, 1], box, 10, 12)).toBe(1);
  expect(lineAt(ys, [1], box, 10, 88)).toBe(-1);
  expect(lineAt(ys, [0, 1], box, 10, 50)).toBe(-1);
  expect(lineAt(ys, [0, 1], box, 200, 51)).toBe(1);
  expect(lineAt(ys, [0, 1], box, 240, 50)).toBe(-1);
});
