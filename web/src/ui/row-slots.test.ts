import { expect, test } from "vitest";
import { RowSlots } from "./row-slots";

const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => ({ index: from + i }));

/** "slot:row" in the order of the elements. */
const placed = (slots: RowSlots, from: number, to: number, resting = false) =>
  slots.place(rows(from, to), resting).map(([slot, { index }]) => `${slot}:${index}`);

test("rows that stay in sight keep their elements", () => {
  const slots = new RowSlots();
  placed(slots, 0, 4);
  expect(placed(slots, 1, 5)).toEqual(["0:4", "1:1", "2:2", "3:3"]);
});

test("after a leap every element shows another row, and none is made or moved", () => {
  const slots = new RowSlots();
  placed(slots, 0, 4);
  expect(placed(slots, 100, 104)).toEqual(["0:100", "1:101", "2:102", "3:103"]);
});

test("at rest the elements stand in the order of the rows", () => {
  const slots = new RowSlots();
  placed(slots, 0, 4);
  placed(slots, 1, 5);
  expect(placed(slots, 1, 5, true)).toEqual(["1:1", "2:2", "3:3", "0:4"]);
});

test("one more row in sight is one more element", () => {
  const slots = new RowSlots();
  placed(slots, 0, 3);
  expect(placed(slots, 1, 5)).toEqual(["0:3", "1:1", "2:2", "3:4"]);
});

test("one row less in sight takes one element away", () => {
  const slots = new RowSlots();
  placed(slots, 0, 4);
  expect(placed(slots, 2, 5)).toEqual(["0:4", "2:2", "3:3"]);
});

test("an element is never shown twice", () => {
  const slots = new RowSlots();
  for (const [from, to] of [
    [0, 4],
    [2, 5],
    [3, 9],
    [0, 2],
    [50, 60],
  ] as const) {
    const keys = slots.place(rows(from, to), false).map(([slot]) => slot);
    expect(new Set(keys).size).toBe(to - from);
  }
});
