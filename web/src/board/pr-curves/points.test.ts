import { expect, test } from "vitest";
import type { PrCurve } from "../../api/pr-curves";
import { areaUnderRoc, domainOf, f1Of, linesOf, placeOf, rowAt } from "./points";

const CURVE: PrCurve = {
  run: 1,
  step: 5,
  wall: 0,
  key: "k",
  error: "",
  shown: 2,
  average_precision: 0.5,
  best_f1: 0.6,
  best_threshold: 0.5,
  thresholds: [0, 0.5, 1],
  true_positives: [4, 3, 0],
  false_positives: [4, 1, 0],
  true_negatives: [0, 3, 4],
  false_negatives: [0, 1, 4],
  precision: [0.5, 0.75, 0],
  recall: [1, 0.75, 0],
};
const NOTHING: PrCurve = {
  ...CURVE,
  shown: 0,
  thresholds: [],
  true_positives: [],
  false_positives: [],
  true_negatives: [],
  false_negatives: [],
  precision: [],
  recall: [],
};

test("a PR curve ends where nothing is called positive any more", () => {
  expect(linesOf("pr", CURVE)).toEqual([{ part: "curve", x: [1, 0.75], y: [0.5, 0.75], at: [0, 1] }]);
});

test("a ROC curve comes of the counts of all thresholds", () => {
  expect(linesOf("roc", CURVE)).toEqual([{ part: "curve", x: [1, 0.25, 0], y: [1, 0.75, 0], at: [0, 1, 2] }]);
  expect(areaUnderRoc(CURVE)).toBeCloseTo(0.75 * 0.875 + 0.25 * 0.375, 12);
});

test("without counts of both classes there is no ROC curve", () => {
  const alone = { ...CURVE, false_positives: [0, 0, 0], true_negatives: [0, 0, 0] };
  expect(linesOf("roc", alone)).toEqual([]);
  expect(areaUnderRoc(alone)).toBeNull();
});

test("over the thresholds there are precision, recall and F1", () => {
  const lines = linesOf("threshold", CURVE);
  expect(lines.map(({ part, x, y }) => [part, x, y])).toEqual([
    ["precision", [0, 0.5], [0.5, 0.75]],
    ["recall", [0, 0.5], [1, 0.75]],
    ["f1", [0, 0.5], [2 / 3, 0.75]],
  ]);
});

test("what is no number is not drawn, and a curve without numbers has no lines", () => {
  expect(linesOf("pr", { ...CURVE, precision: [0.5, Number.NaN, 0] })[0]!.at).toEqual([0]);
  expect((["pr", "roc", "threshold"] as const).map((mode) => linesOf(mode, NOTHING))).toEqual([[], [], []]);
});

test("the nearest threshold, and what it comes to", () => {
  expect([-1, 0, 0.2, 0.3, 0.9, 7].map((at) => placeOf(CURVE, at))).toEqual([0, 0, 0, 1, 2, 2]);
  expect(placeOf(NOTHING, 0.5)).toBe(-1);
  expect(rowAt(CURVE, 1)).toEqual({
    threshold: 0.5,
    precision: 0.75,
    recall: 0.75,
    f1: 0.75,
    tp: 3,
    fp: 1,
    tn: 3,
    fn: 1,
  });
  expect(f1Of(0, 0)).toBe(0);
});

test("y is where the lines are, never beyond what shares can be, or from 0 to 1", () => {
  const lines = linesOf("pr", CURVE);
  expect(domainOf(lines, false)).toEqual({ x: [0, 1], y: [0.5 - 0.01, 0.75 + 0.01] });
  expect(domainOf(lines, true)).toEqual({ x: [0, 1], y: [0, 1] });
  expect(domainOf([], false)).toEqual({ x: [0, 1], y: [0, 1] });
  expect(domainOf(linesOf("roc", CURVE), false).y).toEqual([0, 1]);
});
