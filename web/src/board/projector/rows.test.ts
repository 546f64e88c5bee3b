import { expect, test } from "vitest";
import { countsOf, groupColumn, NO_ROWS, rowsOf, rowsWith, statesOf, toggleRow, unionOf } from "./rows";
import { BACK, CHOSEN, HIDDEN, PLAIN } from "./splat";

const rows = (...each: number[]) => rowsOf(each);

test("rows are in order, each once", () => {
  expect([...rowsOf([7, 2, 7, 10])]).toEqual([2, 7, 10]);
});

test("rows are added, and taken away when they are there", () => {
  expect([
    [...unionOf(rows(1, 5), rows(2, 5))],
    [...toggleRow(rows(1), 3)],
    [...toggleRow(rows(1, 3), 1)],
  ]).toEqual([[1, 2, 5], [1, 3], [3]]);
});

test("rows of a category", () => {
  expect([...rowsWith(Uint16Array.of(0, 1, 0, 2), 0)]).toEqual([0, 2]);
});

test("nothing is set back where nothing is chosen", () => {
  expect([...statesOf(3, NO_ROWS, [], null)]).toEqual([PLAIN, PLAIN, PLAIN]);
});

test("what is selected or marked stands before the rest", () => {
  expect([...statesOf(4, rows(1), [3], null)]).toEqual([BACK, CHOSEN, BACK, CHOSEN]);
});

test("what is not isolated is hidden, selected or not", () => {
  expect([...statesOf(4, rows(0, 1), [], rows(1, 2))]).toEqual([HIDDEN, CHOSEN, BACK, HIDDEN]);
});

test("labels are counted, the most first", () => {
  const codes = Uint16Array.of(0, 2, 2, 1, 2);
  expect(countsOf(rows(0, 1, 2, 4, 99), codes, ["a", "b", "c"])).toEqual([
    { code: 2, label: "c", count: 3 },
    { code: 0, label: "a", count: 1 },
  ]);
});

test("groups made by hand are a column of their own", () => {
  const groups = [
    { name: "one", rows: rows(0, 1) },
    { name: "two", rows: rows(1) },
  ];
  expect(groupColumn(3, groups, "none")).toEqual({
    kind: "category",
    codes: Uint16Array.of(0, 1, 2),
    labels: ["one", "two", "none"],
  });
});
