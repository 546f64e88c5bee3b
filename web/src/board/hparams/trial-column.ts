/**
 * Columns of trials: hyperparameters, metrics of their runs, and details of the session. A metric is in the run of
 * the trial or in a run of a group below it, such as `validation`. Pure; `trials.ts` fetches the values.
 */

import type { TrialMetric } from "../../api/schema.gen";
import { meanOf, middleOf } from "../../lib/mean";
import { type Cell, type MetricValues, metricColumn, STATS, type Stat } from "../runs/column";
import { type RunDetails, shownStatus } from "../runs/run-details";
import { runLabels } from "../runs/run-labels";
import type { Together } from "../view/hparams-view";

export const TRIAL_INFOS = ["status", "session", "created"] as const;
export type TrialInfo = (typeof TRIAL_INFOS)[number];

export type TrialColumn =
  | { kind: "config"; id: string; key: string }
  | { kind: "metric"; id: string; group: string; tag: string; stat: Stat }
  | { kind: "info"; id: string; what: TrialInfo };

export type TrialMetricColumn = Extract<TrialColumn, { kind: "metric" }>;

/** A trial: its run, and the runs with its metrics. */
export interface Trial {
  details: RunDetails;
  /** Run ids by group; the first run that has a tag counts. */
  members: Readonly<Record<string, readonly number[]>>;
  /** Ids of those that are not folded into another run. */
  runs: readonly number[];
}

/** One row: a trial, or a group of trials. */
export interface TrialRow {
  key: string;
  label: string;
  /** The run of the first trial, which gives the style. */
  details: RunDetails;
  trials: readonly Trial[];
}

export function configOf(key: string): TrialColumn {
  return { kind: "config", id: `config:${key}`, key };
}

/** Without a group the id is that of the run table's column. */
export function metricOf(group: string, tag: string, stat: Stat): TrialMetricColumn {
  const id = group === "" ? `metric:${tag}:${stat}` : `metric@${encodeURIComponent(group)}:${tag}:${stat}`;
  return { kind: "metric", id, group, tag, stat };
}

export function infoOf(what: TrialInfo): TrialColumn {
  return { kind: "info", id: `info:${what}`, what };
}

/** The column for an id; null if it is not valid. */
export function parseTrialColumn(id: string): TrialColumn | null {
  const colon = id.indexOf(":");
  const kind = id.slice(0, colon);
  const rest = id.slice(colon + 1);
  if (colon < 0 || rest === "") return null;
  if (kind === "config") return configOf(rest);
  if (kind === "info") return TRIAL_INFOS.some((what) => what === rest) ? infoOf(rest as TrialInfo) : null;
  const group = groupOf(kind);
  const last = rest.lastIndexOf(":");
  const stat = STATS.find((each) => each === rest.slice(last + 1));
  return group !== null && last > 0 && stat ? metricOf(group, rest.slice(0, last), stat) : null;
}

function groupOf(kind: string): string | null {
  if (kind === "metric") return "";
  if (!kind.startsWith("metric@")) return null;
  try {
    return decodeURIComponent(kind.slice("metric@".length));
  } catch {
    return null;
  }
}

/** The values of all rows in a column. */
export function cellsOf(
  column: TrialColumn,
  rows: readonly TrialRow[],
  metrics: MetricValues,
  together: Together,
): readonly Cell[] {
  const values = column.kind === "metric" ? metrics.get(metricColumn(column.tag, column.stat).id) : undefined;
  const of = (trial: Trial): Cell =>
    column.kind === "metric" ? measured(trial.members[column.group], values) : said(column, trial.details);
  return rows.map(({ trials }) => {
    if (trials.length === 1) return of(trials[0]!);
    const cells = trials.map(of);
    return column.kind === "metric" ? aggregate(cells, together) : agreed(cells);
  });
}

function measured(
  runs: readonly number[] | undefined,
  values: ReadonlyMap<number, number> | undefined,
): Cell {
  for (const run of runs ?? []) {
    const value = values?.get(run);
    if (value !== undefined) return value;
  }
  return null;
}

function said(column: Exclude<TrialColumn, TrialMetricColumn>, details: RunDetails): Cell {
  if (column.kind === "config") {
    const value = details.config[column.key];
    return typeof value === "boolean" ? String(value) : wordOrNumber(value);
  }
  if (column.what === "status") return shownStatus(details);
  return column.what === "created" ? details.created : details.run.group_name || null;
}

/** Numbers that JSON cannot express are strings. */
function wordOrNumber(value: number | string | undefined): Cell {
  if (value === "NaN" || value === "Infinity" || value === "-Infinity") return Number(value);
  return value ?? null;
}

function agreed(cells: readonly Cell[]): Cell {
  return cells.every((cell) => Object.is(cell, cells[0])) ? (cells[0] ?? null) : null;
}

/** The aggregate of the values that are numbers. */
export function aggregate(cells: readonly Cell[], together: Together): Cell {
  const numbers = cells
    .filter((cell): cell is number => typeof cell === "number" && Number.isFinite(cell))
    .toSorted((a, b) => a - b);
  if (numbers.length === 0) return null;
  const middle = Math.floor(numbers.length / 2);
  switch (together) {
    case "min":
      return numbers[0]!;
    case "max":
      return numbers.at(-1)!;
    case "median":
      return numbers.length % 2 === 1 ? numbers[middle]! : middleOf(numbers[middle - 1]!, numbers[middle]!);
    default:
      return meanOf(numbers);
  }
}

/** One row per trial, or per group of trials with the same name. */
export function rowsOf(trials: readonly Trial[], together: Together): readonly TrialRow[] {
  const rows = new Map<string, { label: string; trials: Trial[] }>();
  for (const trial of trials) {
    const { name, label, run } = trial.details;
    const key = together === "none" || run.group_name === "" ? name : `=${run.group_name}`;
    const row = rows.get(key);
    if (row) row.trials.push(trial);
    else rows.set(key, { label, trials: [trial] });
  }
  const alone = [...rows.values()].flatMap(({ trials: [first, ...others] }) =>
    first && others.length === 0 ? [first.details] : [],
  );
  const { short } = runLabels(alone);
  return [...rows].map(([key, row]) => ({
    key,
    label:
      row.trials.length === 1
        ? (short.get(row.trials[0]!.details.id) ?? row.label)
        : `${shortGroup(key.slice(1))} (${row.trials.length})`,
    details: row.trials[0]!.details,
    trials: row.trials,
  }));
}

/** Shortens names: unless told otherwise, writers use checksums of 64 digits. */
export function shortGroup(name: string): string {
  return /^[0-9a-f]{32,}$/.test(name) ? `${name.slice(0, 8)}…` : name;
}

/** Whether there are groups of several trials. */
export function hasGroups(trials: readonly Trial[]): boolean {
  const seen = new Set<string>();
  for (const { details } of trials) {
    const name = details.run.group_name;
    if (name !== "" && seen.has(name)) return true;
    seen.add(name);
  }
  return false;
}

const MAX_CONFIG = 12;
const MAX_METRICS = 4;

/**
 * The default columns: parameters that differ, and metrics that are declared or look like objectives. The status
 * comes first if trials have different ones.
 */
export function usualColumns(
  parameters: readonly { name: string; differs: boolean }[],
  metrics: readonly TrialMetric[],
  trials: readonly Trial[],
  rank: (tag: string) => number,
): readonly TrialColumn[] {
  const apart = parameters.filter(({ differs }) => differs);
  const usualMetrics = metrics.filter((metric) => metric.trials * 2 >= trials.length && metric.trials > 0);
  const declared = usualMetrics.filter(
    ({ display_name, dataset_type }) => display_name !== "" || dataset_type !== "unknown",
  );
  const likely = usualMetrics
    .map((metric) => ({ metric, at: rank(metric.tag) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)
    .map(({ metric }) => metric);
  const chosen = [declared, likely, usualMetrics].find((some) => some.length > 0) ?? [];
  const statuses = new Set(trials.map(({ details }) => shownStatus(details)));
  return [
    ...(statuses.size > 1 ? [infoOf("status")] : []),
    ...(apart.length > 0 ? apart : parameters).slice(0, MAX_CONFIG).map(({ name }) => configOf(name)),
    ...chosen.slice(0, MAX_METRICS).map(({ group, tag }) => metricOf(group, tag, "last")),
  ];
}
