/** Metrics of jobs: which of them a list shows, and the curves of their points. Pure. */

import type { JobMetric, JobMetricSummary } from "../../api/hub-schema.gen";

/** As many as fit beside the other columns. */
export const MAX_COLUMNS = 5;
const USUAL_COLUMNS = 3;
/** The value of `metrics` in a request for the usual columns. */
export const USUAL = "*";
/** The value of `metrics` in the address for no columns. */
export const NONE = "-";

/** The value of `metrics` in the request of a list; what it offers is needed also if it shows none. */
export function requestedMetrics(query: URLSearchParams): string {
  const chosen = query.get("metrics") ?? "";
  return chosen === "" || chosen === NONE ? USUAL : chosen;
}

/** The value of `metrics` in the address after a column was added or removed. */
export function toggled(columns: readonly string[], name: string): string {
  const rest = columns.filter((each) => each !== name);
  return (rest.length < columns.length ? rest : [...columns, name]).join(",") || NONE;
}

/** Whether there is room for more usual columns. */
export const isExtensible = (columns: readonly string[]) => columns.length < USUAL_COLUMNS;

/**
 * The usual columns after the hub has chosen again: those that a list has stay in their places. Null if the hub has not
 * chosen all of these, so that they have to be asked for.
 */
export function extended(columns: readonly string[], chosen: readonly string[]): readonly string[] | null {
  if (!columns.every((each) => chosen.includes(each))) return null;
  return [...columns, ...chosen.filter((each) => !columns.includes(each))];
}

type Numeric = number | "NaN" | "Infinity" | "-Infinity";

export interface Points {
  steps: readonly number[];
  values: readonly number[];
}

export function pointsOf({ steps, values }: Pick<JobMetricSummary, "steps" | "values">): Points {
  return { steps, values: numbersOf(values) };
}

/** Numbers that JSON cannot represent are sent as text. */
export const numbersOf = (values: readonly Numeric[]) => values.map(Number);

export interface Range {
  low: number;
  high: number;
}

/** From the lowest to the highest finite value; null if there is none. */
export function rangeOf(values: Iterable<number>): Range | null {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? { low, high } : null;
}

/**
 * The curve as the data of an SVG path in a box from 0 to 100 in both directions, with y downwards. It is interrupted
 * where values are not finite; a point that stands alone is a dot.
 */
export function curveOf({ steps, values }: Points, x: Range, y: Range): string {
  const parts: string[] = [];
  let alone = false;
  let open = false;
  values.forEach((value, at) => {
    if (!Number.isFinite(value)) {
      if (alone) parts.push("h0");
      alone = open = false;
      return;
    }
    parts.push(`${open ? "L" : "M"}${place(steps[at]!, x)} ${round(100 - place(value, y))}`);
    alone = !open;
    open = true;
  });
  if (alone) parts.push("h0");
  return parts.join("");
}

/** Where a value is in a range, from 0 to 100; in the middle if the range is one value. */
function place(value: number, { low, high }: Range): number {
  // Halves, because the difference of two very large numbers is infinite.
  const size = high / 2 - low / 2;
  return size > 0 ? round(((value / 2 - low / 2) / size) * 100) : 50;
}

const round = (value: number) => Math.round(value * 10) / 10;

export interface TagChart {
  tag: string;
  lines: readonly JobMetric[];
  /** How many more lines there are. */
  left: number;
}

/** More lines than this cannot be told apart in a small chart. */
export const MAX_LINES = 8;

/** A chart for each tag, in the order of their first points, with the last attempt and the first replica first. */
export function chartsOf(metrics: readonly JobMetric[]): TagChart[] {
  const byTag = new Map<string, JobMetric[]>();
  for (const each of metrics) byTag.set(each.tag, [...(byTag.get(each.tag) ?? []), each]);
  return [...byTag].map(([tag, all]) => {
    const lines = all.toSorted((one, other) => other.attempt - one.attempt || one.rank - other.rank);
    return { tag, lines: lines.slice(0, MAX_LINES), left: Math.max(0, lines.length - MAX_LINES) };
  });
}

/** The runs of a job in the order of their colors, with what distinguishes them. */
export function runNames(metrics: readonly JobMetric[]): Map<string, string> {
  const ordered = metrics.toSorted((one, other) => other.attempt - one.attempt || one.rank - other.rank);
  const runs = [...new Set(ordered.map(({ run }) => run))];
  const names = lineNames(runs);
  return new Map(runs.map((run, at) => [run, names[at]!]));
}

/** What distinguishes runs: without the folder that all of them share, "" for one in that folder itself. */
export function lineNames(runs: readonly string[]): string[] {
  const parts = runs.map((run) => run.split("/"));
  const first = parts[0] ?? [];
  let shared = 0;
  while (shared < first.length && parts.every((each) => each[shared] === first[shared])) shared++;
  return parts.map((each) => each.slice(shared).join("/"));
}
