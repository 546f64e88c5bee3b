import { expect, test } from "vitest";
import { type Column, configColumn, infoColumn, metricColumn, NO_METRICS } from "../runs/column";
import { nonfiniteTip } from "../runs/nonfinite-metrics";
import { runDetails } from "../runs/run-details.fixture";
import { cellText, difference, fullText, groupCell, headText, statusText } from "./cell-text";

const LOSS = metricColumn("eval/loss", "min");
const RUNS = [
  runDetails("a", { id: 1, config: { lr: 1e-3, opt: "sgd" } }),
  runDetails("b", { id: 2, config: { lr: 1e-3, opt: "adamw" } }),
];
const METRICS = new Map([
  [
    LOSS.id,
    new Map([
      [1, 0.5],
      [2, 0.75],
    ]),
  ],
]);

test("metrics keep the zeros that keep a column even; hyper-parameters are written short", () => {
  expect([0.41, 12.3, 0, 1234.5678, 1e-7, 3, Number.NaN, -0.5].map((cell) => cellText(LOSS, cell))).toEqual([
    "0.4100",
    "12.30",
    "0",
    "1235",
    "1e-7",
    "3",
    "NaN",
    "\u22120.5000",
  ]);
  expect([32, 3e-4, "adamw", null].map((cell) => cellText(configColumn("x"), cell))).toEqual([
    "32",
    "3e-4",
    "adamw",
    "",
  ]);
  expect(cellText(infoColumn("status"), "failed")).toBe("Failed");
});

test("a tip has every digit", () => {
  expect(fullText(LOSS, 0.1 + 0.2)).toBe("0.30000000000000004");
});

test("a group says what its members share, how they spread, or how many values there are", () => {
  expect(groupCell(configColumn("lr"), RUNS, NO_METRICS).text).toBe("1e-3");
  expect(groupCell(configColumn("opt"), RUNS, NO_METRICS).text).toBe("2 values");
  expect(groupCell(LOSS, RUNS, METRICS)).toEqual({
    text: "0.6250",
    short: "0.6250",
    spread: "± 0.13",
    shortSpread: "± 0.13",
    nonfinite: false,
    full: "mean 0.625, σ 0.125, 2 runs",
  });
});

test("a group does not hide members that diverged", () => {
  const members = [1, 2, 3].map((id) => runDetails(`seed${id}`, { id }));
  const told = (...values: number[]) =>
    groupCell(LOSS, members, new Map([[LOSS.id, new Map(values.map((value, at) => [at + 1, value]))]]));
  expect(told(Number.NaN, 1.22, Number.NaN)).toEqual({
    text: "1.220",
    short: "1.220",
    spread: "1 of 3 (2 NaN)",
    shortSpread: "1/3",
    nonfinite: true,
    full: "mean 1.22, σ 0, 1 run · 1 of 3 (2 NaN)",
  });
  expect(told(1, 3, Number.NaN)).toMatchObject({ text: "2", spread: "2 of 3 (1 NaN)", nonfinite: true });
  expect(told(1, 3, Number.POSITIVE_INFINITY)).toMatchObject({ text: "2", spread: "2 of 3 (1 ∞)" });
  expect(told(Number.NaN, Number.NaN, Number.NaN)).toMatchObject({
    text: "NaN",
    spread: "",
    nonfinite: true,
  });
  expect(told(Number.NaN, Number.POSITIVE_INFINITY)).toMatchObject({ text: "NaN", spread: "0 of 2 (2 NaN)" });
  expect(told(1.22)).toMatchObject({ text: "1.220", spread: "", nonfinite: false });
});

test("a group counts what its members are, and tells ranges of numbers and times", () => {
  const nonfinite = { tag: "train/loss", step: 3310, value: Number.NaN, tags: 1 };
  const members = [
    runDetails("a", { id: 1, status: "finished", nonfinite, config: { lr: 1e-4, seed: 0 } }),
    runDetails("b", { id: 2, status: "finished", config: { lr: 3e-3, seed: 0 } }),
    runDetails("c", { id: 3, status: "finished", config: { lr: 1e-3, seed: 0 } }),
  ];
  const told = (column: Column) => groupCell(column, members, METRICS).full;
  expect([infoColumn("status"), configColumn("lr"), configColumn("seed"), LOSS].map(told)).toEqual([
    "Finished 2, Ended in NaN 1",
    "3 values: 1e-4 – 3e-3",
    "0",
    "mean 0.625, σ 0.125, 2 runs · 1 of 3 runs diverged",
  ]);
});

test("a run that ended in NaN does not say that it finished", () => {
  const nonfinite = { tag: "train/loss", step: 3310, value: Number.NaN, tags: 3 };
  expect(statusText(runDetails("a", { status: "finished", nonfinite }))).toBe("NaN from step 3\u2009310");
  expect(statusText(runDetails("b", { status: "finished" }))).toBe("Finished");
  expect(statusText(runDetails("c", { status: "failed", nonfinite }))).toBe("Failed");
  expect(nonfiniteTip(nonfinite)).toBe("train/loss: NaN from step 3\u2009310, and 2 more metrics");
});

test("a difference from the baseline has its sign; equal or missing values have none", () => {
  expect(difference(LOSS, 0.75, 0.5)).toBe("+0.25");
  expect(difference(LOSS, 0.5, 0.75)).toBe("\u22120.25");
  expect([
    difference(LOSS, 0.5, 0.5),
    difference(LOSS, null, 1),
    difference(configColumn("lr"), 1, 2),
  ]).toEqual(["", "", ""]);
});

test("a head says what several columns share only once", () => {
  expect(headText(LOSS)).toMatchObject({ name: "eval/loss", stat: "min" });
  expect(headText(LOSS, true)).toMatchObject({
    family: "eval",
    name: "loss",
    stat: "min",
    full: "eval/loss · min",
  });
});
