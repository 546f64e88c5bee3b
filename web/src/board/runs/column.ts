/**
 * Columns of the run table: their ids in the address, and the value of a run in each. Pure; the values of metrics are
 * fetched by `metric-values.ts`.
 */

import { naturalOrder } from "../../lib/natural-order";
import { type ConfigValue, type RunDetails, shownStatus } from "./run-details";

export const STATS = ["last", "best", "min", "max", "mean", "first"] as const;
export type Stat = (typeof STATS)[number];

export const INFOS = ["step", "status", "created", "duration", "points", "tags", "note"] as const;
export type Info = (typeof INFOS)[number];

export type Column =
  | { kind: "config"; id: string; key: string }
  | { kind: "metric"; id: string; tag: string; stat: Stat }
  | { kind: "info"; id: string; what: Info };

export type Metric = Extract<Column, { kind: "metric" }>;

/** The value of a run in a column. Times are seconds since the epoch, durations seconds. */
export type Cell = number | string | null;

/** Values of metric columns by column id, then run id. A column that is not loaded yet is undefined. */
export type MetricValues = ReadonlyMap<string, ReadonlyMap<number, number>>;

export const NO_METRICS: MetricValues = new Map();

export function configColumn(key: string): Column {
  return { kind: "config", id: `config:${key}`, key };
}

export function metricColumn(tag: string, stat: Stat): Metric {
  return { kind: "metric", id: `metric:${tag}:${stat}`, tag, stat };
}

export function infoColumn(what: Info): Column {
  return { kind: "info", id: `info:${what}`, what };
}

/** The column for an id from an address; null if it is not valid. */
export function parseColumn(id: string): Column | null {
  const colon = id.indexOf(":");
  const kind = id.slice(0, colon);
  const rest = id.slice(colon + 1);
  if (kind === "config" && rest !== "") return configColumn(rest);
  if (kind === "info") return INFOS.some((what) => what === rest) ? infoColumn(rest as Info) : null;
  if (kind !== "metric") return null;
  const last = rest.lastIndexOf(":");
  const stat = STATS.find((each) => each === rest.slice(last + 1));
  return last > 0 && stat ? metricColumn(rest.slice(0, last), stat) : null;
}

export function cellOf(column: Column, details: RunDetails, metrics: MetricValues): Cell {
  switch (column.kind) {
    case "config":
      return plain(details.config[column.key]);
    case "metric":
      return metricOf(column, details, metrics);
    case "info":
      return infoOf(column.what, details);
  }
}

function plain(value: ConfigValue | undefined): Cell {
  return typeof value === "boolean" ? String(value) : (value ?? null);
}

/** A run without the tag takes the value of the runs folded into it: their metrics are its own. */
function metricOf({ id }: Metric, details: RunDetails, metrics: MetricValues): Cell {
  const values = metrics.get(id);
  if (!values) return null;
  for (const run of [details.id, ...details.folded]) {
    const value = values.get(run);
    if (value !== undefined) return value;
  }
  return null;
}

function infoOf(what: Info, details: RunDetails): Cell {
  switch (what) {
    case "step":
      return details.run.last_step;
    case "points":
      return details.run.points;
    case "status":
      return shownStatus(details);
    case "created":
      return details.created;
    case "duration":
      return details.duration;
    case "tags":
      return details.tags.join(", ") || null;
    case "note":
      return details.note || null;
  }
}

/** Numbers are aligned to the right, text to the left. */
export function isText(column: Column, cells: Iterable<Cell>): boolean {
  if (column.kind === "metric") return false;
  if (column.kind === "info") return ["status", "tags", "note"].includes(column.what);
  for (const cell of cells) if (typeof cell === "string") return true;
  return false;
}

/** A comparator: numbers first, then text in natural order. `null` and NaN are last in both directions. */
export function compareCells(a: Cell, b: Cell, down: boolean): number {
  const [first, second] = [rank(a), rank(b)];
  if (first !== second || first === 2) return first - second;
  const order = typeof a === "number" && typeof b === "number" ? a - b : naturalOrder(String(a), String(b));
  return down ? -order : order;
}

function rank(cell: Cell): number {
  if (cell === null || Number.isNaN(cell)) return 2;
  return typeof cell === "number" ? 0 : 1;
}

export interface Spread {
  /** Mean and population standard deviation of the finite values; NaN if there are none. */
  mean: number;
  sd: number;
  /** The number of finite values, and of numbers that are NaN or infinite. */
  count: number;
  nonfinite: number;
}

/** Null if no cell has a number. */
export function spread(cells: Iterable<Cell>): Spread | null {
  let count = 0;
  let nonfinite = 0;
  let mean = 0;
  let squares = 0;
  for (const cell of cells) {
    if (typeof cell !== "number") continue;
    if (!Number.isFinite(cell)) {
      nonfinite += 1;
      continue;
    }
    count += 1;
    const apart = cell - mean;
    mean += apart / count;
    squares += apart * (cell - mean);
  }
  if (count === 0) return nonfinite === 0 ? null : { mean: Number.NaN, sd: Number.NaN, count, nonfinite };
  return { mean, sd: Math.sqrt(squares / count), count, nonfinite };
}
