import { describe, expect, test } from "vitest";
import type { JobMetric } from "../../api/hub-schema.gen";
import {
  chartsOf,
  curveOf,
  extended,
  lineNames,
  numbersOf,
  rangeOf,
  requestedMetrics,
  runNames,
  toggled,
} from "./metrics";

describe("columns", () => {
  test("without a choice, and for none, the usual ones are asked for", () => {
    const asked = ["", "metrics=-", "metrics=loss,acc"].map((text) =>
      requestedMetrics(new URLSearchParams(text)),
    );
    expect(asked).toEqual(["*", "*", "loss,acc"]);
  });

  test("are added at the end and removed from where they are", () => {
    expect(toggled(["loss"], "acc")).toBe("loss,acc");
    expect(toggled(["loss", "acc"], "loss")).toBe("acc");
    expect(toggled(["loss"], "loss")).toBe("-");
  });

  test("stay in their places when more are usual", () => {
    expect(extended(["loss"], ["acc", "loss"])).toEqual(["loss", "acc"]);
    expect(extended(["loss"], ["acc"])).toBeNull();
  });
});

describe("curves", () => {
  const unit = { low: 0, high: 1 };

  test("are interrupted where values are not finite", () => {
    const values = numbersOf([0, 1, "NaN", 0.5, "Infinity", 1]);
    const curve = curveOf({ steps: [0, 1, 2, 3, 4, 5], values }, { low: 0, high: 5 }, unit);
    expect(curve).toBe("M0 100L20 0M60 50h0M100 0h0");
  });

  test("of one value are in the middle", () => {
    expect(curveOf({ steps: [7], values: [3] }, { low: 7, high: 7 }, { low: 3, high: 3 })).toBe("M50 50h0");
  });

  test("have the range of their finite values", () => {
    expect(rangeOf([Number.NaN, 2, -1, Number.POSITIVE_INFINITY])).toEqual({ low: -1, high: 2 });
    expect(rangeOf([Number.NaN])).toBeNull();
  });

  test("of the largest numbers have finite coordinates", () => {
    const range = { low: -Number.MAX_VALUE, high: Number.MAX_VALUE };
    expect(curveOf({ steps: [0, 1], values: [range.low, range.high] }, unit, range)).toBe("M0 100L100 0");
  });
});

const metric = (tag: string, run: string, attempt = 1, rank = 0) =>
  ({ tag, run, attempt, rank }) as JobMetric;

test("a chart has the lines of a tag, those of the last attempt first", () => {
  const charts = chartsOf([
    metric("loss", "a/train"),
    metric("acc", "a/train"),
    metric("loss", "b/train", 2),
  ]);
  expect(charts.map(({ tag, lines }) => [tag, ...lines.map(({ run }) => run)])).toEqual([
    ["loss", "b/train", "a/train"],
    ["acc", "a/train"],
  ]);
});

test("lines are named by what distinguishes their runs", () => {
  expect(lineNames(["attempt-1/rank-0/train", "attempt-1/rank-0/val"])).toEqual(["train", "val"]);
  expect(lineNames(["attempt-1/rank-0", "attempt-1/rank-0/val"])).toEqual(["", "val"]);
  expect(lineNames(["attempt-1/rank-0"])).toEqual([""]);
});

test("a job without runs has no names", () => {
  expect(lineNames([])).toEqual([]);
});

test("runs keep their names in all charts of a job, and a single one needs none", () => {
  const metric = (run: string, attempt = 1) => ({ run, attempt, rank: 0 }) as JobMetric;
  const names = runNames([metric("attempt-1/rank-0/val"), metric("attempt-2/rank-0/val", 2)]);

  expect([...names]).toEqual([
    ["attempt-2/rank-0/val", "attempt-2/rank-0/val"],
    ["attempt-1/rank-0/val", "attempt-1/rank-0/val"],
  ]);
  expect([...runNames([metric("attempt-1/rank-0")]).values()]).toEqual([""]);
});
