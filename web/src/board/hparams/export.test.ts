import { expect, test } from "vitest";
import { runDetails } from "../runs/run-details.fixture";
import { exactTable, jsonOf, readableTable } from "./export";
import { configOf, infoOf, metricOf, rowsOf } from "./trial-column";

const TRIALS = ["a", "b"].map((name, id) => ({
  details: runDetails(name, { id }),
  members: { "": [id] },
  runs: [id],
}));
const COLUMNS = [configOf("lr"), configOf("amp"), metricOf("val", "loss", "min"), infoOf("created")];
const TABLE = {
  rows: rowsOf(TRIALS, "none"),
  filteredRows: [1, 0],
  columns: COLUMNS,
  cells: new Map([
    [COLUMNS[0]!.id, [3e-4, 0.00012345678]],
    [COLUMNS[1]!.id, ["true", null]],
    [COLUMNS[2]!.id, [Number.NaN, -0.123456]],
    [COLUMNS[3]!.id, [0, null]],
  ]),
};

test("programs get stored names and every digit, in the order shown", () => {
  expect(exactTable(TABLE)).toEqual({
    head: ["trial", "lr", "amp", "val/loss min", "created"],
    rows: [
      ["b", "0.00012345678", "", "-0.123456", ""],
      ["a", "0.0003", "true", "NaN", "1970-01-01T00:00:00.000Z"],
    ],
    numeric: [false, true, false, true, false],
  });
});

test("papers get what the page shows", () => {
  expect(readableTable(TABLE).rows.map((row) => row.slice(1, 4))).toEqual([
    ["1.235e-4", "", "-0.1235"],
    ["3e-4", "true", "NaN"],
  ]);
});

test("JSON has flags and null", () => {
  expect(JSON.parse(jsonOf(TABLE))).toEqual([
    { trial: "b", lr: 0.00012345678, amp: null, "val/loss min": -0.123456, created: null },
    { trial: "a", lr: 3e-4, amp: true, "val/loss min": "NaN", created: "1970-01-01T00:00:00.000Z" },
  ]);
});
