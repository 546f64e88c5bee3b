/**
 * Values of metric columns. They are fetched while something shows, sorts or filters by them, and refreshed as runs
 * grow.
 */

import { useEffect } from "react";
import { create } from "zustand";
import { fetchColumns } from "../../api/board";
import { isAbort } from "../../api/client";
import { queries, runsQuery } from "../data/lists";
import { type Metric, type MetricValues, NO_METRICS } from "./column";
import { bestStat } from "./direction";

/** A table that changes more often than this cannot be read. */
const REFRESH_MS = 2000;
/** After a request that took time t, wait at least this many times t before the next. */
const IDLE_FACTOR = 4;

interface MetricStore {
  values: MetricValues;
  /** Ids of the columns whose request failed. */
  failed: ReadonlySet<string>;
}

export const useMetricStore = create<MetricStore>()(() => ({ values: NO_METRICS, failed: new Set() }));

/** The number of subscribers of each column. */
const subscribed = new Map<string, { column: Metric; by: number }>();
let timer: ReturnType<typeof setTimeout> | undefined;
let refreshing = false;
let stale = false;
let lastAt = 0;
let tookMs = 0;

/** Subscribes to columns while the component is mounted. Without columns, it does not render again for those of others. */
export function useMetricValues(columns: readonly Metric[], enabled = true): MetricValues {
  const key = enabled ? columns.map(({ id }) => id).join("\n") : "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all of them
  useEffect(() => (key === "" ? undefined : subscribe(columns)), [key]);
  const none = columns.length === 0;
  return useMetricStore((state) => (none ? NO_METRICS : state.values));
}

function subscribe(columns: readonly Metric[]): () => void {
  for (const column of columns) {
    const entry = subscribed.get(column.id);
    if (entry) entry.by += 1;
    else subscribed.set(column.id, { column, by: 1 });
  }
  if (columns.some(({ id }) => !useMetricStore.getState().values.has(id))) schedule(0);
  else schedule(REFRESH_MS);
  return () => {
    for (const { id } of columns) {
      const entry = subscribed.get(id);
      if (entry) entry.by -= 1;
      if (entry?.by === 0) subscribed.delete(id);
    }
  };
}

function schedule(wait: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void refresh(), wait);
}

async function refresh(): Promise<void> {
  if (subscribed.size === 0) return;
  stale = refreshing;
  if (refreshing) return;
  refreshing = true;
  const began = performance.now();
  const columns = [...subscribed.values()].map(({ column }) => column);
  try {
    const answer = await fetchColumns(
      columns.map(({ tag, stat }) => ({ tag, stat: stat === "best" ? bestStat(tag) : stat })),
    );
    useMetricStore.setState({ values: mergeResponse(columns, answer), failed: new Set() });
  } catch (fault) {
    if (!isAbort(fault)) useMetricStore.setState({ failed: new Set(columns.map(({ id }) => id)) });
  } finally {
    refreshing = false;
    lastAt = performance.now();
    tookMs = lastAt - began;
    if (stale) schedule(0);
  }
}

function mergeResponse(
  columns: readonly Metric[],
  answer: Awaited<ReturnType<typeof fetchColumns>>,
): MetricValues {
  const values = new Map(useMetricStore.getState().values);
  columns.forEach(({ id }, at) => {
    const column = new Map<number, number>();
    answer.columns[at]?.forEach((value, row) => {
      if (value !== null) column.set(answer.runs[row]!, Number(value));
    });
    values.set(id, column);
  });
  // Columns without subscribers are dropped with the next response.
  for (const id of values.keys()) if (!subscribed.has(id)) values.delete(id);
  return values;
}

let lastRuns: unknown;

/** When points arrive the subscribed columns are fetched again, but not too often. */
queries.getQueryCache().subscribe(({ query }) => {
  if (query.queryKey[0] !== runsQuery.queryKey[0] || query.state.data === lastRuns) return;
  lastRuns = query.state.data;
  if (subscribed.size === 0) return;
  const pause = Math.max(REFRESH_MS, IDLE_FACTOR * tookMs);
  schedule(Math.max(0, lastAt + pause - performance.now()));
});
