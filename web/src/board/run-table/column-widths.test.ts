import { expect, test } from "vitest";
import { type MetricValues, metricColumn, NO_METRICS } from "../runs/column";
import { runDetails } from "../runs/run-details.fixture";
import { type ColumnLayout, fittingColumns, layColumns, type RowNames } from "./column-widths";

const LOSS = metricColumn("eval/loss", "last");
const RUNS = [runDetails("a", { id: 1 })];
const EMPTY: MetricValues = new Map([[LOSS.id, new Map()]]);
const FOUND: MetricValues = new Map([[LOSS.id, new Map([[1, 0.5]])]]);

test("a metric is absent once all logs have been read and no run has it", () => {
  const absent = (metrics: MetricValues, settled: boolean) =>
    layColumns([LOSS], RUNS, metrics, {}, false, settled, "page")[0]!.absent;

  expect({
    reading: absent(EMPTY, false),
    read: absent(EMPTY, true),
    fetching: absent(NO_METRICS, true),
    found: absent(FOUND, true),
  }).toEqual({ reading: false, read: true, fetching: false, found: false });
});

test("a side bar without room for the spread of a metric shows the metric alone", () => {
  const names = { wholePx: 100, shortPx: () => 100 } as RowNames;
  const shared = { column: LOSS, text: false, absent: false, leastPx: 50, cut: false };
  const layout: ColumnLayout[] = [{ ...shared, px: 130, apart: 60 }];
  const fitting = (width: number) =>
    fittingColumns(layout, width, names).map(({ px, apart, cut }) => ({ px, apart, cut }));

  expect([310, 309, 230, 229].map(fitting)).toEqual([
    [{ px: 130, apart: 60, cut: false }],
    [{ px: 50, apart: 0, cut: true }],
    [{ px: 50, apart: 0, cut: true }],
    [],
  ]);
});
