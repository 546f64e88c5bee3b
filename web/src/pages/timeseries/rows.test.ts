import { expect, test } from "vitest";
import { CARD_PX, type CardItem, columnsFor, GAP_PX, HEAD_PX, layRows, WIDE_CARD_PX } from "./rows";

function item(tag: string): CardItem {
  return { tag, info: { tag, plugin: "scalars", display_name: "", description: "", runs: [0] }, runs: [] };
}

const items = (...tags: string[]) => tags.map(item);
const plain = { columns: 3, folded: new Set<string>(), isWide: () => false };

test("cards fill rows, and each section begins a new one", () => {
  const rows = layRows(
    [
      { name: "a", items: items("a/1", "a/2", "a/3", "a/4") },
      { name: "b", items: items("b/1") },
    ],
    plain,
  );
  expect(rows.map((row) => (row.kind === "head" ? row.section : row.cards.map((card) => card.tag)))).toEqual([
    "a",
    ["a/1", "a/2", "a/3"],
    ["a/4"],
    "b",
    ["b/1"],
  ]);
  expect(rows.map((row) => row.height)).toEqual([
    HEAD_PX,
    CARD_PX + GAP_PX,
    CARD_PX + GAP_PX,
    HEAD_PX,
    CARD_PX + GAP_PX,
  ]);
});

test("a folded section is its head alone", () => {
  const rows = layRows([{ name: "a", items: items("a/1") }], { ...plain, folded: new Set(["a"]) });
  expect(rows).toEqual([
    { kind: "head", key: "head a", height: HEAD_PX, section: "a", count: 1, folded: true },
  ]);
});

test("a wide card has a row of its own", () => {
  const rows = layRows([{ name: "", items: items("1", "2", "3") }], {
    ...plain,
    isWide: (tag) => tag === "2",
  });
  expect(
    rows.slice(1).map((row) => row.kind === "cards" && [row.wide, row.cards.length, row.height]),
  ).toEqual([
    [false, 1, CARD_PX + GAP_PX],
    [true, 1, WIDE_CARD_PX + GAP_PX],
    [false, 1, CARD_PX + GAP_PX],
  ]);
});

test("columns are as many as fit, at least one, at most six", () => {
  expect([200, 358, 660, 1092, 1572, 4000].map((width) => columnsFor(width, 0))).toEqual([1, 1, 2, 3, 5, 6]);
});

test("no more columns than the largest section fills, but two if they fit", () => {
  expect([columnsFor(1092, 0, 2), columnsFor(1092, 0, 1), columnsFor(358, 0, 1)]).toEqual([2, 2, 1]);
});

test("a wish for columns holds, but not on a phone", () => {
  expect([columnsFor(1092, 2), columnsFor(1092, 5), columnsFor(358, 3)]).toEqual([2, 5, 1]);
});
