import { expect, test } from "vitest";
import { drawnOf, partName, standIns } from "./drawn";
import { madeFacts } from "./facts.made";
import { groupRuns, UNGROUPED } from "./groups";
import type { TagInfo } from "./lists";
import type { RunLook } from "./looks";

const RUNS = [
  madeFacts("a/0", { id: 1, folded: [9] }),
  madeFacts("a/1", { id: 2 }),
  madeFacts("b", { id: 3 }),
  madeFacts("c/0", { id: 4 }),
];

const look = (id: number, name: string): RunLook => ({
  id,
  name,
  label: name,
  slot: id,
  startWallTime: null,
  color: null,
  dash: null,
  members: null,
});

const LOOKS = new Map(RUNS.map(({ id, name }) => [id, look(id, name)]));
const ALL = new Set([1, 2, 3, 4]);
const tag = (name: string, runs: number[]) => ({ tag: name, runs }) as TagInfo;
const standing = standIns(RUNS);

test("a card draws the runs on show that hold its tag, by slot", () => {
  const drawn = drawnOf(LOOKS, new Set([3, 1]), UNGROUPED, false, standing);
  expect(drawn(tag("loss", [3, 2, 1])).map(({ id }) => id)).toEqual([1, 3]);
});

test("a run folded into another is drawn in its look, unless that one holds the tag itself", () => {
  const drawn = drawnOf(LOOKS, ALL, UNGROUPED, false, standing);
  expect(drawn(tag("hparam/acc", [9]))).toEqual([{ ...look(1, "a/0"), id: 9 }]);
  expect(drawn(tag("loss", [1, 9])).map(({ id }) => id)).toEqual([1]);
});

test("several runs folded into one have its colour, names of their own and lines cut in other ways", () => {
  const parts = new Map([
    [7, "losses_both_val"],
    [8, "losses_both_train"],
  ]);
  const whole = madeFacts("run", { id: 5, folded: [7, 8], parts });
  const looks = new Map([[5, { ...look(5, "run"), dash: 3 }]]);
  const drawn = drawnOf(looks, new Set([5]), UNGROUPED, false, standIns([whole]));
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
  const drawn = drawnOf(LOOKS, ALL, grouped, true, standing)(loss);
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
  expect(drawnOf(LOOKS, new Set([1, 3]), grouped, false, standing)(loss).map(({ label }) => label)).toEqual([
    "a/ (1)",
    "b",
  ]);
  expect(c!.slot).not.toBe(a!.slot);
});

test("the same runs are the same array, so that no card is drawn again", () => {
  const before = drawnOf(LOOKS, ALL, UNGROUPED, false, standing)(tag("loss", [1, 2]));
  const after = drawnOf(LOOKS, new Set([1, 2]), UNGROUPED, false, standing)(tag("loss", [1, 2]));
  expect(after).toBe(before);
});
