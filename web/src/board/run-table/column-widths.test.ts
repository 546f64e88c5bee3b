import { expect, test } from "vitest";
import { type MetricValues, metricColumn, NO_METRICS } from "../runs/column";
import { runDetails } from "../runs/run-details.fixture";
import { layColumns } from "./column-widths";

const LOSS = metricColumn("eval/loss", "last");
const RUNS = [runDetails("a", { id: 1 })];
const EMPTY: MetricValues = new Map([[LOSS.id, new Map()]]);
const FOUND: MetricValues = new Map([[LOSS.id, new Map([[1, 0.5]])]]);

test("a metric is absent once all logs have been read and no run has it", () => {
  const absent = (metrics: MetricValues, settled: boolean) =>
    layColumns([LOSS], RUNS, metrics, {}, false, settled)[0]!.absent;

  expect({
    reading: absent(EMPTY, false),
    read: absent(EMPTY, true),
    fetching: absent(NO_METRICS, true),
    found: absent(FOUND, true),
  }).toEqual({ reading: false, read: true, fetching: false, found: false });
});
