import { expect, test } from "vitest";
import { BY_RUN, coloringBy } from "./coloring";
import { compareCells, NO_METRICS, parseColumn, spread } from "./column";
import { groupRuns, likelyPattern, NO_GROUPS } from "./groups";
import { runDetails } from "./run-details.fixture";

const RUNS = [
  runDetails("small/seed10", { id: 10, config: { lr: 1e-3, opt: "sgd" } }),
  runDetails("small/seed2", { id: 11, config: { lr: 3e-4, opt: "adamw" } }),
  runDetails("big/seed0", { id: 12, config: { lr: 1e-3 } }),
  runDetails("baseline", { id: 13 }),
];

function members(by: string): Record<string, string[]> {
  const { groups } = groupRuns(RUNS, by);
  return Object.fromEntries(groups.map((group) => [group.label, group.members.map(({ name }) => name)]));
}

test("runs are put together by what a pattern captures of their names, else by what it matches", () => {
  expect(members("name:^(\\w+)/seed")).toEqual({
    big: ["big/seed0"],
    small: ["small/seed10", "small/seed2"],
  });
  expect(members("name:seed\\d")).toEqual({
    seed0: ["big/seed0"],
    seed1: ["small/seed10"],
    seed2: ["small/seed2"],
  });
});

test("runs are put together by a hyper-parameter or by folder; the others stay single", () => {
  expect(members("config:lr")).toEqual({
    "lr=3e-4": ["small/seed2"],
    "lr=1e-3": ["small/seed10", "big/seed0"],
  });
  expect(members("folder")).toEqual({ "big/": ["big/seed0"], "small/": ["small/seed10", "small/seed2"] });
  expect(groupRuns(RUNS, "folder").groupOf.has(13)).toBe(false);
});

test("a group keeps its id and takes its colour from its place", () => {
  const first = groupRuns(RUNS, "config:lr").groups;
  const again = groupRuns(RUNS.slice(0, 2), "config:lr").groups;
  expect(first.map(({ slot }) => slot)).toEqual([0, 1]);
  const beside = groupRuns([runDetails("single", { id: 0 }), ...RUNS], "folder").groups;
  expect(beside.map(({ slot }) => slot)).toEqual([1, 2]);
  expect(again.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
});

test("a pattern is proposed that leaves the number at the end of a name out", () => {
  const pattern = likelyPattern(["a-seed0", "a-seed1", "b-seed0"]);
  expect(
    groupRuns(
      [runDetails("a-seed0"), runDetails("a-seed1"), runDetails("b-seed0")],
      `name:${pattern}`,
    ).groups.map(({ label, members }) => [label, members.length]),
  ).toEqual([
    ["a", 2],
    ["b", 1],
  ]);
});

test("words are coloured by slot, numbers along a ramp, by logarithm where they are far apart", () => {
  const words = coloringBy("config:opt", RUNS, NO_GROUPS, NO_METRICS);
  expect(words.paintOf(RUNS[1]!)).toEqual({ color: null, slot: 0, dash: null });
  expect(words.paintOf(RUNS[3]!).color).not.toBeNull();
  expect(words.legend).toMatchObject({
    kind: "slots",
    items: [
      { label: "adamw", runs: 1 },
      { label: "sgd", runs: 1 },
    ],
  });
  const far = [1e-5, 1e-3, 1e-1].map((lr, id) => runDetails(`${id}`, { id, config: { lr } }));
  const ramp = coloringBy("config:lr", far, NO_GROUPS, NO_METRICS);
  expect(ramp.legend).toMatchObject({ kind: "ramp", from: 1e-5, to: 1e-1, log: true });
  expect(new Set(far.map((run) => ramp.paintOf(run).color?.light)).size).toBe(3);
});

test("a colouring that makes no sense leaves every run its own", () => {
  expect(coloringBy("regex:(", RUNS, NO_GROUPS, NO_METRICS)).toBe(BY_RUN);
  expect(coloringBy("sense", RUNS, NO_GROUPS, NO_METRICS)).toBe(BY_RUN);
  const own = BY_RUN.paintOf(runDetails("x", { color: "#123456" }));
  expect(own).toEqual({ color: { light: "#123456", dark: "#123456" }, slot: expect.any(Number), dash: 0 });
});

test("columns are read as they are written; others are refused", () => {
  expect(parseColumn("metric:a:b/c:min")).toEqual({
    kind: "metric",
    id: "metric:a:b/c:min",
    tag: "a:b/c",
    stat: "min",
  });
  expect(["config:lr", "info:step"].map((id) => parseColumn(id)?.id)).toEqual(["config:lr", "info:step"]);
  expect(["metric:x:worst", "info:x", "lr", ""].map(parseColumn)).toEqual([null, null, null, null]);
});

test("numbers sort before words, and what is missing last whichever way", () => {
  const cells = ["b10", null, 3, Number.NaN, "b9", 1];
  expect(cells.toSorted((a, b) => compareCells(a, b, false))).toEqual([1, 3, "b9", "b10", null, Number.NaN]);
  expect(cells.toSorted((a, b) => compareCells(a, b, true))).toEqual([3, 1, "b10", "b9", null, Number.NaN]);
});

test("a spread is that of the population, over what is finite", () => {
  expect(spread([1, 2, null, Number.NaN, 3])).toEqual({
    mean: 2,
    sd: Math.sqrt(2 / 3),
    count: 3,
    nonfinite: 1,
  });
  expect(spread([null, "x"])).toBeNull();
});
