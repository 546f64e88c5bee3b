import { expect, test } from "vitest";
import type { Row } from "../../chart";
import { naturalOrder } from "../../lib/natural-order";
import type { Line } from "./card-subscriptions";
import { sortedRows, statisticsByLine, valueRows } from "./value-rows";

function line(id: number, name: string, y: number[], tag = "loss"): Line {
  const lineStyle = {
    id,
    name,
    label: name,
    slot: id,
    startWallTime: null,
    color: null,
    dash: null,
    members: null,
  };
  const x = Float64Array.from(y, (_, i) => i);
  const points = { x, y: Float64Array.from(y), aux: null, raw: true, held: y.length };
  return { tag, lineStyle, lineStyles: [lineStyle], points: points as unknown as Line["points"] };
}

function row(run: number, y: number, part: Partial<Row> = {}): Row {
  const none = { smoothed: null, smoothedX: null, aux: null, lo: null, hi: null, members: null };
  return { run, x: 1, y, exact: true, dist: 0, ...none, ...part };
}

const lines = [line(0, "a", [1, 2, 3]), line(1, "b", [5, 4, 9])];
const asked = { axis: "step", baseline: null, smoothing: true, statistics: new Map() } as const;

test("each line says its value, and its difference from the baseline at the same place", () => {
  const rows = valueRows(lines, [row(0, 2), row(1, 4)], { ...asked, baseline: "a" });
  expect(rows.map(({ value, apart, step }) => [value, apart, step])).toEqual([
    [2, null, 1],
    [4, 2, 1],
  ]);
});

test("differences are of what is drawn: the smoothed values", () => {
  const at = [row(0, 2, { smoothed: 1.5 }), row(1, 4, { smoothed: 4.5 })];
  expect(valueRows(lines, at, { ...asked, baseline: "a" })[1]!.apart).toBe(3);
});

test("what a group says is smoothed, unless nothing is", () => {
  const [one] = lines;
  const group = { ...one!, lineStyle: { ...one!.lineStyle, members: [1, 2] } };
  const said = (smoothing: boolean) => {
    const [{ value, smoothed } = { value: null, smoothed: null }] = valueRows([group], [row(0, 2)], {
      ...asked,
      smoothing,
    });
    return [value, smoothed];
  };
  expect([said(true), said(false)]).toEqual([
    [null, 2],
    [2, null],
  ]);
});

test("a run under two tags is two rows", () => {
  const two = [line(0, "a", [1, 2], "x"), line(0, "a", [3, 4], "y")];
  const rows = valueRows(two, [row(0, 2, { tag: "x" }), row(0, 4, { tag: "y" })], asked);
  expect(rows.map(({ tag, value }) => [tag, value])).toEqual([
    ["x", 2],
    ["y", 4],
  ]);
});

test("rows sort by any column, those without a value last", () => {
  const rows = valueRows([...lines, line(2, "c", [])], [row(0, 2), row(1, 4)], {
    ...asked,
    statistics: statisticsByLine(lines, "step", [0, 1]),
  });
  const names = (column: Parameters<typeof sortedRows>[1], down: boolean) =>
    sortedRows(rows, column, down, naturalOrder).map(({ lineStyle }) => lineStyle.name);
  expect([names(null, true), names("value", true), names("change", false), names("run", true)]).toEqual([
    ["a", "b", "c"],
    ["b", "a", "c"],
    ["b", "a", "c"],
    ["c", "b", "a"],
  ]);
});
