/**
 * Columns of the run table: how they are called in the address, and what a run holds in them. Pure; the values of
 * metrics are fetched by `columns.ts`.
 */

import { type ConfigValue, type RunFacts, shownStatus } from "./facts";
import { naturalOrder } from "./natural";

export const STATS = ["last", "best", "min", "max", "mean", "first"] as const;
export type Stat = (typeof STATS)[number];

export const INFOS = ["step", "status", "created", "duration", "points", "tags", "note"] as const;
export type Info = (typeof INFOS)[number];

export type Column =
  | { kind: "config"; id: string; key: string }
  | { kind: "metric"; id: string; tag: string; stat: Stat }
  | { kind: "info"; id: string; what: Info };

export type Metric = Extract<Column, { kind: "metric" }>;

/** What a run holds in a column. Times are seconds since the epoch, durations seconds. */
export type Cell = number | string | null;

/** Values of metric columns: by the id of the column, then of the run. A column not there yet is undefined. */
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

/** The column an address names; null if it makes no sense. */
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

export function cellOf(column: Column, facts: RunFacts, metrics: MetricValues): Cell {
  switch (column.kind) {
    case "config":
      return plain(facts.config[column.key]);
    case "metric":
      return metricOf(column, facts, metrics);
    case "info":
      return infoOf(column.what, facts);
  }
}

function plain(value: ConfigValue | undefined): Cell {
  return typeof value === "boolean" ? String(value) : (value ?? null);
}

/** A run without the tag says what the runs folded into it do: their metrics are its own. */
function metricOf({ id }: Metric, facts: RunFacts, metrics: MetricValues): Cell {
  const values = metrics.get(id);
  if (!values) return null;
  for (const run of [facts.id, ...facts.folded]) {
    const value = values.get(run);
    if (value !== undefined) return value;
  }
  return null;
}

function infoOf(what: Info, facts: RunFacts): Cell {
  switch (what) {
    case "step":
      return facts.run.last_step;
    case "points":
      return facts.run.points;
    case "status":
      return shownStatus(facts);
    case "created":
      return facts.created;
    case "duration":
      return facts.duration;
    case "tags":
      return facts.tags.join(", ") || null;
    case "note":
      return facts.note || null;
  }
}

/** Numbers stand to the right, words to the left. */
export function isText(column: Column, cells: Iterable<Cell>): boolean {
  if (column.kind === "metric") return false;
  if (column.kind === "info") return ["status", "tags", "note"].includes(column.what);
  for (const cell of cells) if (typeof cell === "string") return true;
  return false;
}

/** -1, 0 or 1 as sorts want it: numbers first, then words in natural order; `null` and NaN stand last either way. */
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
  /** Mean and population standard deviation of what is finite; NaN without any. */
  mean: number;
  sd: number;
  /** How many are finite, and how many are numbers that are not: NaN and infinities. */
  count: number;
  lost: number;
}

/** Null where no cell has a number. */
export function spread(cells: Iterable<Cell>): Spread | null {
  let count = 0;
  let lost = 0;
  let mean = 0;
  let squares = 0;
  for (const cell of cells) {
    if (typeof cell !== "number") continue;
    if (!Number.isFinite(cell)) {
      lost += 1;
      continue;
    }
    count += 1;
    const apart = cell - mean;
    mean += apart / count;
    squares += apart * (cell - mean);
  }
  if (count === 0) return lost === 0 ? null : { mean: Number.NaN, sd: Number.NaN, count, lost };
  return { mean, sd: Math.sqrt(squares / count), count, lost };
}
