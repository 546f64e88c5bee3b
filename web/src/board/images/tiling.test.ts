import { expect, test } from "vitest";
import { tilingOf } from "./tiling";

const BOX = { width: 320, height: 150 };
const FOOT = () => 20;

test("one image has the whole box", () => {
  expect(tilingOf(1, BOX, FOOT)).toEqual({ width: 320, height: 130, shown: 1 });
});

test("a few stand beside each other", () => {
  expect(tilingOf(3, BOX, FOOT)).toEqual({ width: 101, height: 130, shown: 3 });
});

test("more stand in rows, as large as they fit", () => {
  expect(tilingOf(8, BOX, FOOT)).toEqual({ width: 74, height: 51, shown: 8 });
});

test("too many to be seen are not all shown, and what is shown can be seen", () => {
  const { width, height, shown } = tilingOf(500, BOX, FOOT);
  expect([Math.min(width, height) >= 44, shown > 4, shown < 20]).toEqual([true, true, true]);
});

test("a box of no size shows one", () => {
  expect(tilingOf(5, { width: 0, height: 0 }, FOOT).shown).toBe(1);
});

test("names that take several lines under narrow images leave room for fewer rows", () => {
  const foot = (widthPx: number) => (widthPx < 120 ? 52 : 20);
  expect(tilingOf(8, BOX, foot)).toEqual({ width: 46, height: 98, shown: 6 });
});
