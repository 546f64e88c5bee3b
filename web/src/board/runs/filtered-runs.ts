/** The runs that match the filter of the run table. Shared by the table, the charts, the keys and the Runs page. */

import { memoize } from "../../lib/memoize";
import { type TagInfo, useSettled, useTags } from "../data/lists";
import { useView } from "../view/view";
import { type MetricValues, NO_METRICS } from "./column";
import { useMetricStore, useMetricValues } from "./metric-values";
import { ALL_RUNS, parseQuery, type Query, QueryError, type QueryNames, unfinishedTerm } from "./query";
import { type RunDetails, useListedDetails } from "./run-details";

export interface FilteredRuns {
  rows: readonly RunDetails[];
  query: Query;
  /** The values that the query compares. */
  metrics: MetricValues;
  /** Why the filter is not valid; the last valid query stays in force. */
  fault: QueryError | null;
}

const configKeys = memoize((runs: readonly RunDetails[]): ReadonlySet<string> => {
  const keys = new Set<string>();
  for (const { config } of runs) for (const key of Object.keys(config)) keys.add(key);
  return keys;
});

const tagNames = memoize(
  (tags: readonly TagInfo[]): ReadonlySet<string> => new Set(tags.map(({ tag }) => tag)),
);

const queryNames = memoize(
  (config: ReadonlySet<string>, tags: ReadonlySet<string>): QueryNames => ({ config, tags }),
);

/** All hyperparameters and tags: the names that a query may use. */
export function useQueryNames(): QueryNames {
  return queryNames(configKeys(useListedDetails()), tagNames(useTags()));
}

const NONE_FAILED: ReadonlySet<string> = new Set();
let lastValid: Query = ALL_RUNS;

interface Parsed {
  query: Query;
  fault: QueryError | null;
}

/** Whether the last term is half typed: a part of a column's name that no run has in its own. */
const isUnfinished = memoize((text: string, names: QueryNames, runs: readonly RunDetails[]): boolean => {
  const last = unfinishedTerm(text, names);
  if (last === null) return false;
  const { matches } = parseQuery(last.term, names);
  return !runs.some((details) => matches(details, NO_METRICS));
});

/** A half-typed term would match nothing, so it is left out. */
const parse = memoize((text: string, names: QueryNames, unfinished: boolean): Parsed => {
  const last = unfinished ? unfinishedTerm(text, names) : null;
  try {
    const query = parseQuery(last?.rest ?? text, names);
    return { query, fault: last && new QueryError("comparison", last.term, `${last.term} is not compared`) };
  } catch (fault) {
    return { query: lastValid, fault: fault instanceof QueryError ? fault : null };
  }
});

const filter = memoize((runs: readonly RunDetails[], query: Query, metrics: MetricValues) =>
  query === ALL_RUNS ? runs : runs.filter((details) => query.matches(details, metrics)),
);

let latest: readonly RunDetails[] = [];

/** The runs that matched when the table was last drawn, for keys. */
export function currentFilteredRuns(): readonly RunDetails[] {
  return latest;
}

export function useFilteredRuns(): FilteredRuns {
  const runs = useListedDetails();
  const text = useView((view) => view.runFilter);
  const names = useQueryNames();
  const { query, fault } = parse(text, names, isUnfinished(text, names, runs));
  const metrics = useMetricValues(query.metrics);
  const compares = query.metrics.length > 0;
  const failed = useMetricStore((state) => (compares ? state.failed : NONE_FAILED));
  // Until the values that it compares are loaded, the last query stays in force, so that the list does not empty and
  // fill.
  const ready = query.metrics.every(({ id }) => metrics.has(id) || failed.has(id));
  if (ready) lastValid = query;
  latest = filter(runs, lastValid, lastValid.metrics.length > 0 ? metrics : NO_METRICS);
  const settled = useSettled();
  return { rows: latest, query: lastValid, metrics, fault: settled ? fault : null };
}
