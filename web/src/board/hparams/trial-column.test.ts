import { expect, test } from "vitest";
import type { RunInfo } from "../data/lists";
import { runDetails } from "../runs/run-details.fixture";
import {
  aggregate,
  cellsOf,
  configOf,
  hasGroups,
  metricOf,
  parseTrialColumn,
  rowsOf,
  type Trial,
  usualColumns,
} from "./trial-column";

const trial = (id: number, group: string, config: Record<string, number | string | boolean>): Trial => ({
  details: runDetails(`t${id}`, { id, config, run: { group_name: group } as RunInfo }),
  members: { "": [id, id + 10], val: [id + 20] },
  runs: [id],
});
const TRIALS = [trial(1, "g", { lr: 0.1, amp: true }), trial(2, "g", { lr: 0.1 }), trial(3, "", { lr: 0.2 })];
const METRICS = new Map([
  [
    "metric:loss:last",
    new Map([
      [1, 5],
      [12, 7],
      [21, 1],
    ]),
  ],
]);

test("any column is found again by its id", () => {
  for (const column of [configOf("a:b"), metricOf("", "x:y", "min"), metricOf("a/b:c", "loss", "best")])
    expect(parseTrialColumn(column.id)).toEqual(column);
  expect(["", "config:", "metric:loss", "metric@%:loss:last", "info:nothing"].map(parseTrialColumn)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
});

test("cells are those of the first run of a group that has the tag", () => {
  const rows = rowsOf(TRIALS, "none");
  const cells = (column: Parameters<typeof cellsOf>[0]) => cellsOf(column, rows, METRICS, "none");
  expect(cells(metricOf("", "loss", "last"))).toEqual([5, 7, null]);
  expect(cells(metricOf("val", "loss", "last"))).toEqual([1, null, null]);
  expect(cells(configOf("amp"))).toEqual(["true", null, null]);
});

test("sessions of one group are one row: what they agree on, figures summed up", () => {
  const rows = rowsOf(TRIALS, "mean");
  expect(rows.map(({ key, label }) => [key, label])).toEqual([
    ["=g", "g (2)"],
    ["t3", "t3"],
  ]);
  expect(cellsOf(configOf("lr"), rows, METRICS, "mean")).toEqual([0.1, 0.2]);
  expect(cellsOf(configOf("amp"), rows, METRICS, "mean")).toEqual([null, null]);
  expect(cellsOf(metricOf("", "loss", "last"), rows, METRICS, "max")).toEqual([7, null]);
});

test("figures are summed up from what is a number", () => {
  const all = [3, null, 1, Number.NaN, 8];
  expect((["mean", "median", "min", "max"] as const).map((how) => aggregate(all, how))).toEqual([4, 3, 1, 8]);
  expect(aggregate([null], "mean")).toBeNull();
});

test("figures of a group are finite where those of its members are", () => {
  const large = [2 ** 1023, 1.5 * 2 ** 1023];
  expect((["mean", "median"] as const).map((how) => aggregate(large, how))).toEqual([
    1.25 * 2 ** 1023,
    1.25 * 2 ** 1023,
  ]);
});

test("groups are worth asking for where sessions share one", () => {
  expect([hasGroups(TRIALS), hasGroups(TRIALS.slice(1))]).toEqual([true, false]);
});

test("usual columns are what differs and what was declared, else what one trains for", () => {
  const metric = (tag: string, display_name = "", trials = 3) => ({
    group: "",
    tag,
    display_name,
    description: "",
    dataset_type: "unknown" as const,
    trials,
  });
  const parameters = [
    { name: "same", differs: false },
    { name: "lr", differs: true },
  ];
  const rank = (tag: string) => ["loss", "speed"].indexOf(tag);
  const ids = (...metrics: ReturnType<typeof metric>[]) =>
    usualColumns(parameters, metrics, TRIALS, rank).map(({ id }) => id);
  expect(ids(metric("loss"), metric("mine", "Mine"))).toEqual(["config:lr", "metric:mine:last"]);
  expect(ids(metric("speed"), metric("other"), metric("loss"))).toEqual([
    "config:lr",
    "metric:loss:last",
    "metric:speed:last",
  ]);
  expect(ids(metric("rare", "Rare", 1), metric("other"))).toEqual(["config:lr", "metric:other:last"]);
});
