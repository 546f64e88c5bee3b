/**
 * Columns of trials: hyper-parameters, metrics of their runs, what is known of a session. A metric lies in the run of
 * the trial or in one of a group below it, as `validation`. Pure; what is fetched comes from `trials.ts`.
 */

import type { TrialMetric } from "../api/schema.gen";
import { meanOf, middleOf } from "../base/mean";
import { type Cell, type MetricValues, metricColumn, STATS, type Stat } from "./column";
import { type RunFacts, shownStatus } from "./facts";
import type { Together } from "./hparamsview";
import { runLabels } from "./run-labels";

export const TRIAL_INFOS = ["status", "session", "created"] as const;
export type TrialInfo = (typeof TRIAL_INFOS)[number];

export type TrialColumn =
  | { kind: "config"; id: string; key: string }
  | { kind: "metric"; id: string; group: string; tag: string; stat: Stat }
  | { kind: "info"; id: string; what: TrialInfo };

export type TrialMetricColumn = Extract<TrialColumn, { kind: "metric" }>;

/** A run that is a trial, and the runs that hold its metrics. */
export interface Trial {
  facts: RunFacts;
  /** Ids by group; the first that has a tag counts. */
  members: Readonly<Record<string, readonly number[]>>;
  /** All of them that stand for themselves. */
  runs: readonly number[];
}

/** One row: a trial, or the trials of a group of sessions. */
export interface TrialRow {
  key: string;
  label: string;
  /** The first of them lends its look. */
  facts: RunFacts;
  trials: readonly Trial[];
}

export function configOf(key: string): TrialColumn {
  return { kind: "config", id: `config:${key}`, key };
}

/** Without a group it is called as the column of the run table is. */
export function metricOf(group: string, tag: string, stat: Stat): TrialMetricColumn {
  const id = group === "" ? `metric:${tag}:${stat}` : `metric@${encodeURIComponent(group)}:${tag}:${stat}`;
  return { kind: "metric", id, group, tag, stat };
}

export function infoOf(what: TrialInfo): TrialColumn {
  return { kind: "info", id: `info:${what}`, what };
}

/** The column an id names; null if it makes no sense. */
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

/** What each row holds in a column. */
export function cellsOf(
  column: TrialColumn,
  rows: readonly TrialRow[],
  metrics: MetricValues,
  together: Together,
): readonly Cell[] {
  const values = column.kind === "metric" ? metrics.get(metricColumn(column.tag, column.stat).id) : undefined;
  const of = (trial: Trial): Cell =>
    column.kind === "metric" ? measured(trial.members[column.group], values) : said(column, trial.facts);
  return rows.map(({ trials }) => {
    if (trials.length === 1) return of(trials[0]!);
    const cells = trials.map(of);
    return column.kind === "metric" ? summedUp(cells, together) : agreed(cells);
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

function said(column: Exclude<TrialColumn, TrialMetricColumn>, facts: RunFacts): Cell {
  if (column.kind === "config") {
    const value = facts.config[column.key];
    return typeof value === "boolean" ? String(value) : wordOrNumber(value);
  }
  if (column.what === "status") return shownStatus(facts);
  return column.what === "created" ? facts.created : facts.run.group_name || null;
}

/** Numbers that JSON cannot hold come as words. */
function wordOrNumber(value: number | string | undefined): Cell {
  if (value === "NaN" || value === "Infinity" || value === "-Infinity") return Number(value);
  return value ?? null;
}

function agreed(cells: readonly Cell[]): Cell {
  return cells.every((cell) => Object.is(cell, cells[0])) ? (cells[0] ?? null) : null;
}

/** Of a group, from the members that have a number. */
export function summedUp(cells: readonly Cell[], together: Together): Cell {
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

/** The rows: each trial, or the trials that share the name of a group of sessions. */
export function rowsOf(trials: readonly Trial[], together: Together): readonly TrialRow[] {
  const rows = new Map<string, { label: string; trials: Trial[] }>();
  for (const trial of trials) {
    const { name, label, run } = trial.facts;
    const key = together === "none" || run.group_name === "" ? name : `=${run.group_name}`;
    const row = rows.get(key);
    if (row) row.trials.push(trial);
    else rows.set(key, { label, trials: [trial] });
  }
  const alone = [...rows.values()].flatMap(({ trials: [first, ...others] }) =>
    first && others.length === 0 ? [first.facts] : [],
  );
  const { short } = runLabels(alone);
  return [...rows].map(([key, row]) => ({
    key,
    label:
      row.trials.length === 1
        ? (short.get(row.trials[0]!.facts.id) ?? row.label)
        : `${shortGroup(key.slice(1))} (${row.trials.length})`,
    facts: row.trials[0]!.facts,
    trials: row.trials,
  }));
}

/** Writers name groups by a checksum of 64 digits unless they are told better. */
export function shortGroup(name: string): string {
  return /^[0-9a-f]{32,}$/.test(name) ? `${name.slice(0, 8)}…` : name;
}

/** Is it worth asking for groups? */
export function hasGroups(trials: readonly Trial[]): boolean {
  const seen = new Set<string>();
  for (const { facts } of trials) {
    const name = facts.run.group_name;
    if (name !== "" && seen.has(name)) return true;
    seen.add(name);
  }
  return false;
}

const MOST_CONFIG = 12;
const MOST_METRICS = 4;

/** Columns shown unasked: parameters that differ, metrics that were declared or that look like what one trains for. The
 * status stands first where trials have several. */
export function usualColumns(
  parameters: readonly { name: string; differs: boolean }[],
  metrics: readonly TrialMetric[],
  trials: readonly Trial[],
  rank: (tag: string) => number,
): readonly TrialColumn[] {
  const apart = parameters.filter(({ differs }) => differs);
  const held = metrics.filter((metric) => metric.trials * 2 >= trials.length && metric.trials > 0);
  const declared = held.filter(
    ({ display_name, dataset_type }) => display_name !== "" || dataset_type !== "unknown",
  );
  const likely = held
    .map((metric) => ({ metric, at: rank(metric.tag) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)
    .map(({ metric }) => metric);
  const chosen = [declared, likely, held].find((some) => some.length > 0) ?? [];
  const statuses = new Set(trials.map(({ facts }) => shownStatus(facts)));
  return [
    ...(statuses.size > 1 ? [infoOf("status")] : []),
    ...(apart.length > 0 ? apart : parameters).slice(0, MOST_CONFIG).map(({ name }) => configOf(name)),
    ...chosen.slice(0, MOST_METRICS).map(({ group, tag }) => metricOf(group, tag, "last")),
  ];
}
