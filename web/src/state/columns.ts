/** Values of metric columns: fetched while somebody shows, sorts or filters by them, and kept up with the runs. */

import { useEffect } from "react";
import { create } from "zustand";
import { isAbort } from "../api/client";
import { askColumns } from "../api/columns";
import { type Metric, type MetricValues, NO_METRICS } from "./column";
import { bestStat } from "./direction";
import { queries, runsQuery } from "./lists";

/** A table that changes under the eye more often than this cannot be read. */
const REFRESH_MS = 2000;
/** Columns are asked for at most a quarter of the time. */
const PATIENCE = 4;

interface Columns {
  values: MetricValues;
  /** Ids the server could not be asked for. */
  failed: ReadonlySet<string>;
}

export const useColumns = create<Columns>()(() => ({ values: NO_METRICS, failed: new Set() }));

/** How many want each column. */
const wanted = new Map<string, { column: Metric; by: number }>();
let timer: ReturnType<typeof setTimeout> | undefined;
let asking = false;
let stale = false;
let lastAt = 0;
let tookMs = 0;

/** Wants columns as long as the component stands; their values come through `useColumns`. */
export function useWanted(columns: readonly Metric[], enabled = true): MetricValues {
  const key = enabled ? columns.map(({ id }) => id).join("\n") : "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all of them
  useEffect(() => (key === "" ? undefined : want(columns)), [key]);
  return useColumns((state) => state.values);
}

function want(columns: readonly Metric[]): () => void {
  for (const column of columns) {
    const entry = wanted.get(column.id);
    if (entry) entry.by += 1;
    else wanted.set(column.id, { column, by: 1 });
  }
  if (columns.some(({ id }) => !useColumns.getState().values.has(id))) plan(0);
  else plan(REFRESH_MS);
  return () => {
    for (const { id } of columns) {
      const entry = wanted.get(id);
      if (entry) entry.by -= 1;
      if (entry?.by === 0) wanted.delete(id);
    }
  };
}

function plan(wait: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void ask(), wait);
}

async function ask(): Promise<void> {
  if (wanted.size === 0) return;
  stale = asking;
  if (asking) return;
  asking = true;
  const began = performance.now();
  const columns = [...wanted.values()].map(({ column }) => column);
  try {
    const answer = await askColumns(
      columns.map(({ tag, stat }) => ({ tag, stat: stat === "best" ? bestStat(tag) : stat })),
    );
    useColumns.setState({ values: put(columns, answer), failed: new Set() });
  } catch (fault) {
    if (!isAbort(fault)) useColumns.setState({ failed: new Set(columns.map(({ id }) => id)) });
  } finally {
    asking = false;
    lastAt = performance.now();
    tookMs = lastAt - began;
    if (stale) plan(0);
  }
}

function put(columns: readonly Metric[], answer: Awaited<ReturnType<typeof askColumns>>): MetricValues {
  const values = new Map(useColumns.getState().values);
  columns.forEach(({ id }, at) => {
    const column = new Map<number, number>();
    answer.columns[at]?.forEach((value, row) => {
      if (value !== null) column.set(answer.runs[row]!, Number(value));
    });
    values.set(id, column);
  });
  // What nobody wants any more is let go with the next answer.
  for (const id of values.keys()) if (!wanted.has(id)) values.delete(id);
  return values;
}

let seen: unknown;

/** Points came in: what is wanted is asked for again, not too often. */
queries.getQueryCache().subscribe(({ query }) => {
  if (query.queryKey[0] !== runsQuery.queryKey[0] || query.state.data === seen) return;
  seen = query.state.data;
  if (wanted.size === 0) return;
  const pause = Math.max(REFRESH_MS, PATIENCE * tookMs);
  plan(Math.max(0, lastAt + pause - performance.now()));
});
