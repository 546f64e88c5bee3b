/**
 * The rows of the table under a large chart: the value of each line at a position and its statistics over a range.
 * Pure.
 */

import type { Axis, Row } from "../../chart";
import type { LineStyle } from "../runs/line-styles";
import type { Line } from "./card-subscriptions";
import { changeOf, type RangeStatistics, statisticsOf } from "./statistics";
import { stepsOf } from "./step-positions";

export interface ValueRow {
  lineStyle: LineStyle;
  tag: string;
  value: number | null;
  smoothed: number | null;
  /** Step of the value. */
  step: number | null;
  /** The difference from the baseline at the same position; null without one, and for the baseline itself. */
  apart: number | null;
  statistics: RangeStatistics | null;
  drawn: number;
  held: number;
}

export type Column =
  | "run"
  | "value"
  | "smoothed"
  | "apart"
  | "step"
  | "start"
  | "end"
  | "min"
  | "max"
  | "change"
  | "percent"
  | "mean"
  | "slope"
  | "held";

export interface ColumnRequest {
  axis: Axis;
  baseline: string | null;
  /** Lines are smoothed; those of groups are means of smoothed lines. */
  smoothing: boolean;
  /** Statistics over the range, by line. */
  statistics: ReadonlyMap<string, RangeStatistics>;
}

/** The key of a line within a card. */
export function lineKey({ lineStyle, tag }: Pick<Line, "lineStyle" | "tag">): string {
  return `${lineStyle.id} ${tag}`;
}

/** Statistics of each line with a point in the range; null is everything. */
export function statisticsByLine(
  lines: readonly Line[],
  axis: Axis,
  range: readonly [number, number] | null,
): ReadonlyMap<string, RangeStatistics> {
  const found = new Map<string, RangeStatistics>();
  for (const line of lines) {
    const steps = stepsOf(line, axis);
    const statistics = steps && statisticsOf(line.points, steps, range);
    if (statistics) found.set(lineKey(line), statistics);
  }
  return found;
}

/** One row per line; `rows` are the chart's values at the position. */
export function valueRows(lines: readonly Line[], rows: readonly Row[], asked: ColumnRequest): ValueRow[] {
  const { axis, baseline, smoothing, statistics } = asked;
  const multiple = new Set(lines.map(({ tag }) => tag)).size > 1;
  const found = lines.map((line): ValueRow => {
    const { lineStyle, tag, points } = line;
    const row = rows.find((each) => each.run === lineStyle.id && (!multiple || each.tag === tag));
    const value = row?.y ?? null;
    const comesSmoothed = smoothing && lineStyle.members !== null;
    return {
      lineStyle,
      tag,
      value: comesSmoothed ? null : value,
      smoothed: comesSmoothed ? value : (row?.smoothed ?? null),
      step: row ? (axis === "step" ? row.x : row.aux) : null,
      apart: null,
      statistics: statistics.get(lineKey(line)) ?? null,
      drawn: points.x.length,
      held: points.held,
    };
  });
  return found.map((row) => ({ ...row, apart: apartFrom(row, found, baseline) }));
}

function apartFrom(row: ValueRow, rows: readonly ValueRow[], baseline: string | null): number | null {
  const base = rows.find(({ lineStyle, tag }) => lineStyle.name === baseline && tag === row.tag);
  if (!base || base === row) return null;
  const [here, there] = [row.smoothed ?? row.value, base.smoothed ?? base.value];
  return here === null || there === null ? null : here - there;
}

/** The sort key of a row in a column; null comes last. */
export function sortKey(row: ValueRow, column: Column): number | string | null {
  const { statistics } = row;
  switch (column) {
    case "run":
      return row.lineStyle.label;
    case "value":
      return row.value;
    case "smoothed":
      return row.smoothed;
    case "apart":
      return row.apart;
    case "step":
      return row.step;
    case "start":
      return statistics?.start.value ?? null;
    case "end":
      return statistics && (statistics.nonfinite ?? statistics.end).value;
    case "min":
      return statistics?.min.value ?? null;
    case "max":
      return statistics?.max.value ?? null;
    case "change":
      return statistics && changeOf(statistics).by;
    case "percent":
      return statistics && changeOf(statistics).part;
    case "mean":
      return statistics?.mean ?? null;
    case "slope":
      return statistics?.slope ?? null;
    case "held":
      return row.held;
  }
}

export function sortedRows(
  rows: readonly ValueRow[],
  column: Column | null,
  down: boolean,
  byName: (a: string, b: string) => number,
): readonly ValueRow[] {
  if (column === null) return rows;
  const sign = down ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [x, y] = [sortKey(a, column), sortKey(b, column)];
    if (x === null || y === null || Number.isNaN(x) || Number.isNaN(y)) {
      return Number(x === null || Number.isNaN(x)) - Number(y === null || Number.isNaN(y));
    }
    if (typeof x === "string" || typeof y === "string") return sign * byName(String(x), String(y));
    return sign * (x - y);
  });
}
