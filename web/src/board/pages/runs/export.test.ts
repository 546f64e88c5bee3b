import { expect, test } from "vitest";
import { csvTable } from "../../../lib/table";
import { configColumn, infoColumn, metricColumn } from "../../runs/column";
import { runDetails } from "../../runs/run-details.fixture";
import { exactTable, jsonOf } from "./export";

const columns = [configColumn("lr"), metricColumn("eval/loss", "min"), infoColumn("created")];
const runs = [
  runDetails('odd, "name"', { id: 1, config: { lr: 3e-4 }, created: 1_750_000_000 }),
  runDetails("空", { id: 2, config: { lr: 0.1 } }),
];
const metrics = new Map([
  [
    "metric:eval/loss:min",
    new Map([
      [1, 0.1 + 0.2],
      [2, Number.NaN],
    ]),
  ],
]);

test("the table is exported with every digit, under the stored names", () => {
  expect(csvTable(exactTable({ columns, runs, metrics }))).toBe(
    'run,lr,eval/loss min,created\r\n"odd, ""name""",0.0003,0.30000000000000004,2025-06-15T15:06:40.000Z\r\n空,0.1,NaN,\r\n',
  );
});

test("as JSON it reads back as the same numbers", () => {
  expect(JSON.parse(jsonOf({ columns, runs, metrics }))).toEqual([
    { run: 'odd, "name"', lr: 3e-4, "eval/loss min": 0.1 + 0.2, created: "2025-06-15T15:06:40.000Z" },
    { run: "空", lr: 0.1, "eval/loss min": "NaN", created: null },
  ]);
});
