import { expect, test } from "vitest";
import {
  CARD_PX as CARD_HEIGHTS,
  type CardItem,
  cellBox,
  columnsFor,
  GAP_PX,
  HEAD_PX,
  layRows,
  type Row,
  WIDE_MORE_PX,
} from "./rows";

const CARD_PX = CARD_HEIGHTS.normal;

function item(tag: string): CardItem {
  const info = { tag, plugin: "scalars", display_name: "", description: "", runs: [0] };
  return { key: tag, kind: "scalars", tag, info, runs: [], joined: [] };
}

function section(name: string, count: number) {
  return { name, items: Array.from({ length: count }, (_, at) => item(`${name}/${at + 1}`)) };
}

const plain = { columns: 3, cardPx: CARD_PX, folded: new Set<string>(), isWide: () => false };

/** A row as it is seen: heads as [name @ column × span], cards as their tags. */
function seen(row: Row): string {
  return row.kind === "head"
    ? row.heads.map((head) => `[${head.section} @${head.column}×${head.span}]`).join(" ")
    : row.cards.map((cell) => `${cell.card.tag}@${cell.column}`).join(" ");
}

test("cards fill rows, and a section too large for the rest of a row begins a new one", () => {
  const rows = layRows([section("a", 4), section("b", 1)], plain);
  expect(rows.map(seen)).toEqual(["[a @0×3]", "a/1@0 a/2@1 a/3@2", "a/4@0", "[b @0×3]", "b/1@0"]);
  expect(rows.map((row) => row.height)).toEqual([
    HEAD_PX,
    CARD_PX + GAP_PX,
    CARD_PX + GAP_PX,
    HEAD_PX,
    CARD_PX + GAP_PX,
  ]);
});

test("neighbours that fit into one row stand side by side, each head over its own cards", () => {
  expect(layRows([section("eval", 2), section("perf", 1), section("train", 3)], plain).map(seen)).toEqual([
    "[eval @0×2] [perf @2×1]",
    "eval/1@0 eval/2@1 perf/1@2",
    "[train @0×3]",
    "train/1@0 train/2@1 train/3@2",
  ]);
});

test("only neighbours share a row: the order of sections stands", () => {
  expect(layRows([section("a", 2), section("b", 2), section("c", 1)], plain).map(seen)).toEqual([
    "[a @0×3]",
    "a/1@0 a/2@1",
    "[b @0×2] [c @2×1]",
    "b/1@0 b/2@1 c/1@2",
  ]);
});

test("a shared row is read section by section: head, its cards, the next head", () => {
  const [heads, cards] = layRows([section("eval", 2), section("perf", 1)], plain);
  expect(heads?.kind === "head" && heads.heads.map((head) => head.order)).toEqual([0, 1]);
  expect(cards?.kind === "cards" && cards.cards.map((card) => card.order)).toEqual([0, 0, 1]);
});

test("in one column nothing is shared", () => {
  expect(layRows([section("a", 1), section("b", 1)], { ...plain, columns: 1 }).map(seen)).toEqual([
    "[a @0×1]",
    "a/1@0",
    "[b @0×1]",
    "b/1@0",
  ]);
});

test("a folded section is its head alone, over the whole width", () => {
  const rows = layRows([section("a", 1), section("b", 1)], { ...plain, folded: new Set(["a"]) });
  expect(rows.map(seen)).toEqual(["[a @0×3]", "[b @0×3]", "b/1@0"]);
  expect(rows[0]).toEqual({
    kind: "head",
    key: "head a",
    height: HEAD_PX,
    heads: [{ section: "a", tags: ["a/1"], count: 1, folded: true, column: 0, span: 3, order: 0 }],
  });
});

test("a wide card has a row of its own, and its section too", () => {
  const rows = layRows([section("a", 3), section("b", 1)], {
    ...plain,
    columns: 4,
    isWide: (tag) => tag === "a/2",
  });
  expect(rows.map(seen)).toEqual(["[a @0×4]", "a/1@0", "a/2@0", "a/3@0", "[b @0×4]", "b/1@0"]);
  expect(rows[2]).toMatchObject({ height: CARD_PX + WIDE_MORE_PX + GAP_PX, cards: [{ span: 4 }] });
});

test("cells stand on whole pixels, the gap between them, the last at the edge", () => {
  const box = (column: number, span = 1) => cellBox({ column, span, order: 0 }, 3, 1000);
  expect([box(0), box(1), box(2), box(0, 2), box(0, 3)]).toEqual([
    [0, 325],
    [337, 326],
    [675, 325],
    [0, 663],
    [0, 1000],
  ]);
});

test("columns are as many as fit, at least one, at most six", () => {
  expect([200, 358, 660, 1092, 1572, 4000].map((width) => columnsFor(width, 0))).toEqual([1, 1, 2, 3, 5, 6]);
});

test("of the columns that fit, as few as need no more rows", () => {
  const sizes = [[100], [2, 2, 2], [2, 1, 3], [4], [1], []];
  expect(sizes.map((each) => columnsFor(1092, 0, each))).toEqual([3, 2, 3, 2, 2, 3]);
});

test("chosen columns are kept, but not on a phone", () => {
  expect([columnsFor(1092, 2), columnsFor(1092, 5), columnsFor(358, 3)]).toEqual([2, 5, 1]);
});

test("in two columns a card left over fills its row", () => {
  const rows = layRows([section("a", 3), section("b", 1)], { ...plain, columns: 2 });
  expect(rows.map(seen)).toEqual(["[a @0×2]", "a/1@0 a/2@1", "a/3@0", "[b @0×2]", "b/1@0"]);
  expect([rows[2], rows[4]]).toMatchObject([{ cards: [{ span: 2 }] }, { cards: [{ span: 2 }] }]);
});
