/** The points of a PR curve in each of the three modes, and statistics at a threshold. Pure. */

import type { PrCurve } from "../../api/pr-curves";
import type { PrMode } from "../view/view-state";

/** "curve", or in the mode of thresholds one of three statistics. */
export type Part = "curve" | "precision" | "recall" | "f1";

export interface Line {
  part: Part;
  x: readonly number[];
  y: readonly number[];
  /** The index of the threshold of each point. */
  at: readonly number[];
}

/** Statistics at one threshold. */
export interface Row {
  threshold: number;
  precision: number;
  recall: number;
  f1: number;
  tp: number;
  fp: number;
  tn: number;
  fn: number;
}

/** The lines of a curve; none if it is non-finite, or has no counts for a ROC curve. */
export function linesOf(mode: PrMode, curve: PrCurve): Line[] {
  if (mode === "roc") return rocLines(curve);
  const shown = range(curve.shown);
  if (mode === "pr")
    return present([
      line(
        "curve",
        shown,
        (at) => curve.recall[at]!,
        (at) => curve.precision[at]!,
      ),
    ]);
  const x = (at: number) => curve.thresholds[at]!;
  return present([
    line("precision", shown, x, (at) => curve.precision[at]!),
    line("recall", shown, x, (at) => curve.recall[at]!),
    line("f1", shown, x, (at) => f1Of(curve.precision[at]!, curve.recall[at]!)),
  ]);
}

function rocLines(curve: PrCurve): Line[] {
  const all = range(curve.thresholds.length);
  return present([
    line(
      "curve",
      all,
      (at) => falsePositiveRate(curve, at),
      (at) => truePositiveRate(curve, at),
    ),
  ]);
}

function falsePositiveRate({ false_positives, true_negatives }: PrCurve, at: number): number {
  return false_positives[at]! / (false_positives[at]! + true_negatives[at]!);
}

function truePositiveRate({ true_positives, false_negatives }: PrCurve, at: number): number {
  return true_positives[at]! / (true_positives[at]! + false_negatives[at]!);
}

/** The harmonic mean; 0 if both are 0. */
export function f1Of(precision: number, recall: number): number {
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

/** The area under the ROC curve by the trapezoidal rule; null without counts of both classes. */
export function areaUnderRoc(curve: PrCurve): number | null {
  const [roc] = rocLines(curve);
  if (!roc) return null;
  let area = 0;
  roc.x.forEach((x, at) => {
    // Above the highest threshold nothing is classified as positive.
    const [nextX, nextY] = [roc.x[at + 1] ?? 0, roc.y[at + 1] ?? 0];
    area += ((x - nextX) * (roc.y[at]! + nextY)) / 2;
  });
  return area;
}

/** The index of the threshold nearest to `threshold`; −1 in an empty curve. */
export function placeOf({ thresholds }: PrCurve, threshold: number): number {
  const last = thresholds.length - 1;
  return last < 0 ? -1 : Math.min(last, Math.max(0, Math.round(threshold * last)));
}

export function rowAt(curve: PrCurve, at: number): Row {
  const [precision, recall] = [curve.precision[at]!, curve.recall[at]!];
  return {
    threshold: curve.thresholds[at]!,
    precision,
    recall,
    f1: f1Of(precision, recall),
    tp: curve.true_positives[at]!,
    fp: curve.false_positives[at]!,
    tn: curve.true_negatives[at]!,
    fn: curve.false_negatives[at]!,
  };
}

export interface Domain {
  x: readonly [number, number];
  y: readonly [number, number];
}

const ROOM = 0.04;
const LEAST_SPAN = 0.02;

/** x from 0 to 1; y where the lines are, or from 0 to 1 as well. */
export function domainOf(lines: readonly Line[], unit: boolean): Domain {
  const values = lines.flatMap(({ y }) => y);
  const low = values.reduce((least, value) => Math.min(least, value), 1);
  const high = values.reduce((most, value) => Math.max(most, value), 0);
  const whole: Domain = { x: [0, 1], y: [0, 1] };
  if (unit || values.length === 0) return whole;
  const span = Math.max(high - low, LEAST_SPAN);
  return {
    x: [0, 1],
    y: [Math.max(Math.min(0, low), low - ROOM * span), Math.min(Math.max(1, high), high + ROOM * span)],
  };
}

function line(
  part: Part,
  places: readonly number[],
  x: (at: number) => number,
  y: (at: number) => number,
): Line {
  const at = places.filter((place) => Number.isFinite(x(place)) && Number.isFinite(y(place)));
  return { part, x: at.map(x), y: at.map(y), at };
}

function present(lines: Line[]): Line[] {
  return lines.filter(({ at }) => at.length > 0);
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}
