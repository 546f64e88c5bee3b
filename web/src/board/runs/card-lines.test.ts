import { expect, test } from "vitest";
import type { TagInfo } from "../data/lists";
import { cardLinesOf, foldedParents, partName } from "./card-lines";
import { groupRuns, NO_GROUPS } from "./groups";
import type { LineStyle } from "./line-styles";
import { runDetails } from "./run-details.fixture";

const RUNS = [
  runDetails("a/0", { id: 1, folded: [9] }),
  runDetails("a/1", { id: 2 }),
  runDetails("b", { id: 3 }),
  runDetails("c/0", { id: 4 }),
];

const lineStyle = (id: number, name: string): LineStyle => ({
  id,
  name,
  label: name,
  slot: id,
  startWallTime: null,
  color: null,
  dash: null,
  members: null,
});

const PILL_STYLES = new Map(RUNS.map(({ id, name }) => [id, lineStyle(id, name)]));
const ALL = new Set([1, 2, 3, 4]);
const tag = (name: string, runs: number[]) => ({ tag: name, runs }) as TagInfo;
const standing = foldedParents(RUNS);

test("a card draws the runs on show that hold its tag, by slot", () => {
  const drawn = cardLinesOf(PILL_STYLES, new Set([3, 1]), NO_GROUPS, false, standing);
  expect(drawn(tag("loss", [3, 2, 1])).map(({ id }) => id)).toEqual([1, 3]);
});

test("a run folded into another is drawn in its look, unless that one holds the tag itself", () => {
  const drawn = cardLinesOf(PILL_STYLES, ALL, NO_GROUPS, false, standing);
  expect(drawn(tag("hparam/acc", [9]))).toEqual([{ ...lineStyle(1, "a/0"), id: 9 }]);
  expect(drawn(tag("loss", [1, 9])).map(({ id }) => id)).toEqual([1]);
});

test("several runs folded into one have its colour, names of their own and lines cut in other ways", () => {
  const parts = new Map([
    [7, "losses_both_val"],
    [8, "losses_both_train"],
  ]);
  const whole = runDetails("run", { id: 5, folded: [7, 8], parts });
  const lineStyles = new Map([[5, { ...lineStyle(5, "run"), dash: 3 }]]);
  const drawn = cardLinesOf(lineStyles, new Set([5]), NO_GROUPS, false, foldedParents([whole]));
  expect(
    drawn(tag("losses/both", [7, 8])).map(({ id, label, slot, dash }) => [id, label, slot, dash]),
  ).toEqual([
    [8, "run · train", 5, 3],
    [7, "run · val", 5, 0],
  ]);
});

test("what a part is called is the key it was written under", () => {
  expect([partName("a/b", "a_b_x"), partName("a/b", "a/b/x y"), partName("a", "other")]).toEqual([
    "x",
    "x y",
    "other",
  ]);
});

test("a group stands for its members on show, before single runs; members come behind it, faintly", () => {
  const grouped = groupRuns(RUNS, "folder");
  const [a, c] = grouped.groups;
  const loss = tag("loss", [1, 2, 3, 4]);
  const drawn = cardLinesOf(PILL_STYLES, ALL, grouped, true, standing)(loss);
  expect(drawn.map(({ label, members }) => [label, members])).toEqual([
    ["a/ (2)", [1, 2]],
    ["c/ (1)", [4]],
    ["b", null],
    ["a/0", null],
    ["a/1", null],
    ["c/0", null],
  ]);
  expect(drawn[0]!.id).toBe(a!.id);
  expect(drawn[3]!.color?.light).toMatch(/^#[0-9a-f]{6}70$/);
  expect(
    cardLinesOf(PILL_STYLES, new Set([1, 3]), grouped, false, standing)(loss).map(({ label }) => label),
  ).toEqual(["a/ (1)", "b"]);
  expect(c!.slot).not.toBe(a!.slot);
});

test("the same runs are the same array, so that no card is drawn again", () => {
  const before = cardLinesOf(PILL_STYLES, ALL, NO_GROUPS, false, standing)(tag("loss", [1, 2]));
  const after = cardLinesOf(PILL_STYLES, new Set([1, 2]), NO_GROUPS, false, standing)(tag("loss", [1, 2]));
  expect(after).toBe(before);
});

test("the line of a group says how many of its runs diverged", () => {
  const nonfinite = { tag: "loss", step: 9, value: Number.NaN, tags: 1 };
  const runs = [
    runDetails("a/0", { id: 1, nonfinite }),
    runDetails("a/1", { id: 2 }),
    runDetails("a/2", { id: 3, nonfinite }),
  ];
  const drawn = cardLinesOf(PILL_STYLES, ALL, groupRuns(runs, "folder"), false, new Map());
  expect(["loss", "accuracy"].map((name, at) => drawn(tag(name, [1, 2, 3].slice(at)))[0]?.label)).toEqual([
    "a/ (3, 2 NaN)",
    "a/ (2, 1 NaN)",
  ]);
});
