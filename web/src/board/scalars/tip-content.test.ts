import { expect, test } from "vitest";
import type { Axis, Row } from "../../chart";
import type { TipSort } from "../view/view-state";
import { type TipInput, tipContent, tipSentence } from "./tip-content";

const row = (run: number, part: Partial<Row> = {}): Row => ({
  run,
  x: 100,
  y: 0.5,
  smoothed: null,
  smoothedX: null,
  lo: null,
  hi: null,
  members: null,
  aux: 1060,
  exact: true,
  dist: 0,
  ...part,
});

function reading(axis: Axis, rows: Row[]): TipInput {
  const plain = { startWallTime: 990, color: null, dash: null, members: null };
  const lineStyle = (id: number) => ({ ...plain, id, name: `run ${id}`, label: `run ${id}`, slot: id });
  const runs = new Map([0, 1].map((id) => [id, lineStyle(id)]));
  const firstWall = new Map([[0, 1000]]);
  const plainly = { scheme: "light", names: null, baseline: null, xTag: "epoch" } as const;
  return { ...plainly, axis, runs, firstWall, x: 100, span: 1000, digits: 6, rows };
}

test("step and time are said once, from the first point of the nearest run", () => {
  expect(tipContent(reading("step", [row(0), row(1)])).head).toBe("step 100 · +1 m");
  expect(tipContent(reading("step", [row(1), row(0)])).head).toBe("step 100 · +1 m 10 s");
});

test("a row whose point stands elsewhere says where", () => {
  const far = tipContent(reading("step", [row(0), row(1, { x: 90, exact: false })]));
  expect(far.rows.map((each) => each.elsewhere)).toEqual([null, "90"]);
});

test("on a time axis points close in time count as the same place", () => {
  const rows = [row(0), row(1, { x: 105, exact: false }), row(1, { x: 400, exact: false })];
  expect(tipContent(reading("relative", rows)).rows.map((each) => each.elsewhere)).toEqual([
    null,
    null,
    "6 m 40 s",
  ]);
});

test("a smoothed value of a thinned series is told with its own step", () => {
  const rows = [row(0, { smoothed: 0.4, smoothedX: 103 })];
  expect(tipContent(reading("step", rows)).rows[0]).toMatchObject({
    step: 103,
    value: 0.5,
    smoothed: 0.4,
    nearest: true,
  });
});

test("rows of runs that are gone are left out", () => {
  expect(tipContent(reading("step", [row(0), row(7)])).rows.map((each) => each.name)).toEqual(["run 0"]);
});

test("the reading can be spoken", () => {
  expect(tipSentence(reading("step", [row(0), row(1, { y: Number.NaN })]))).toBe("100, run 0 0.5, run 1 NaN");
});

test("rows can be sorted; the nearest stays marked", () => {
  const rows = [row(1, { y: 2 }), row(0, { y: 3 }), row(0, { y: Number.NaN })];
  const values = (sort: TipSort) => tipContent(reading("step", rows), sort).rows.map(({ value }) => value);
  expect([values("nearest"), values("ascending"), values("descending")]).toEqual([
    [2, 3, Number.NaN],
    [2, 3, Number.NaN],
    [3, 2, Number.NaN],
  ]);
  const sorted = tipContent(reading("step", rows), "descending");
  expect([sorted.rows.map(({ nearest }) => nearest), sorted.lead?.value]).toEqual([[false, true, false], 2]);
});

test("differences are measured from the baseline if it is here", () => {
  const asked = reading("step", [row(0), row(1)]);
  expect(tipContent({ ...asked, baseline: "run 1" }).lead?.name).toBe("run 1");
  expect(tipContent({ ...asked, baseline: "run 9" }).lead?.name).toBe("run 0");
});

test("in a card of several tags a row names its tag and takes its dash", () => {
  const names = new Map([
    ["train/loss", "train"],
    ["eval/loss", "eval"],
  ]);
  const asked = { ...reading("step", [row(0, { tag: "eval/loss" })]), names };
  expect(tipContent(asked).rows[0]).toMatchObject({ name: "run 0", tagName: "eval", dash: 1 });
  expect(tipSentence(asked)).toBe("100, run 0 eval 0.5");
});

test("on the axis of a tag its value is told by its name", () => {
  expect(tipContent(reading("tag", [row(0, { aux: 40 })])).head).toBe("epoch 100 · step 40");
});
