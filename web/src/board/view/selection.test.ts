import { expect, test } from "vitest";
import { defaultRuns, LATEST_SHOWN, MANY_RUNS, selectionOf, visibleRuns } from "./selection";
import { ALL_DEFAULT, type RunSelection } from "./view-state";

const run = (id: number, last_wall_time: number | string | null = id) => ({
  id,
  name: `run ${id}`,
  last_wall_time,
});
const few = [run(0), run(1), run(2), run(3)];
const many = Array.from({ length: MANY_RUNS + 1 }, (_, id) => run(id));
const ids = (set: ReadonlySet<number>) => [...set].sort((a, b) => a - b);
const shown = (runs: typeof few, choice: RunSelection) => ids(visibleRuns(runs, choice, defaultRuns(runs)));

const said = (runs: typeof few, wanted: number[]) => selectionOf(runs, new Set(wanted), defaultRuns(runs));

test("few runs are all drawn", () => {
  expect(shown(few, ALL_DEFAULT)).toEqual([0, 1, 2, 3]);
});

test("of very many runs those with the latest activity are drawn", () => {
  expect(shown(many, ALL_DEFAULT)).toEqual(Array.from({ length: LATEST_SHOWN }, (_, at) => 451 + at));
});

test("runs without any time come last", () => {
  const runs = [run(0, null), run(1, "NaN"), ...many.slice(2)];
  expect(defaultRuns(runs).has(0)).toBe(false);
});

test("names differ from the base", () => {
  expect(shown(few, { base: "default", shown: [], hidden: ["run 1"] })).toEqual([0, 2, 3]);
  expect(shown(few, { base: "none", shown: ["run 2"], hidden: [] })).toEqual([2]);
  expect(shown(many, { base: "default", shown: ["run 0"], hidden: [] })).toContain(0);
  expect(shown(many, { base: "all", shown: [], hidden: [] })).toHaveLength(MANY_RUNS + 1);
});

test("a set is said in the shortest way", () => {
  expect(said(few, [2])).toEqual({ base: "none", shown: ["run 2"], hidden: [] });
  expect(said(few, [0, 1, 2])).toEqual({ base: "default", shown: [], hidden: ["run 3"] });
  expect(said(few, [0, 1, 2, 3])).toEqual(ALL_DEFAULT);
  expect(
    said(
      many,
      many.map(({ id }) => id),
    ),
  ).toEqual({ base: "all", shown: [], hidden: [] });
});

test("however a set is said, it is that set", () => {
  for (const wanted of [[], [0], [1, 3], [0, 1, 2], [0, 1, 2, 3]]) {
    expect(shown(few, said(few, wanted))).toEqual(wanted);
  }
});
