/** The trials for the HParams page: rows, columns, cells, and the rows that pass the filters. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { fetchHparams } from "../../api/board";
import type { Hparams, HyperParameter, TrialMetric } from "../../api/schema.gen";
import { memoize } from "../../lib/memoize";
import { KIND_TAGS } from "../data/values";
import { type Paint, paintsOf, type RampEnds } from "../runs/coloring";
import { type Cell, compareCells, type Metric, metricColumn } from "../runs/column";
import { useFilteredRuns } from "../runs/filtered-runs";
import { useMetricValues } from "../runs/metric-values";
import { type RunDetails, useListedDetails } from "../runs/run-details";
import { useColoring } from "../runs/run-groups";
import { metricRank } from "../runs/table-columns";
import type { HparamsView } from "../view/hparams-view";
import { passes } from "../view/trial-filter";
import { commit, useView } from "../view/view";
import {
  cellsOf,
  parseTrialColumn,
  rowsOf,
  type Trial,
  type TrialColumn,
  type TrialMetricColumn,
  type TrialRow,
  usualColumns,
} from "./trial-column";

export interface Study {
  parameters: readonly HyperParameter[];
  metrics: readonly TrialMetric[];
  /** Trials whose runs are neither hidden nor excluded by the run filter. */
  trials: readonly Trial[];
  /** All trials, before the run filter. */
  all: readonly Trial[];
  /** A response has arrived. */
  loaded: boolean;
  error: Error | null;
}

const NOTHING: Hparams = {
  generation: 0,
  name: "",
  description: "",
  user: "",
  time_created: 0,
  parameters: [],
  metrics: [],
  trials: [],
};

export function useStudy(): Study {
  const { data, error } = useQuery({
    // Fetched again when runs or tags change; values that change with points come from the lists of runs and metric
    // values.
    queryKey: [KIND_TAGS, "hparams", "trials"],
    queryFn: ({ signal }) => fetchHparams(signal),
    placeholderData: keepPreviousData,
  });
  const listed = useListedDetails();
  const { rows } = useFilteredRuns();
  const hparams = data ?? NOTHING;
  const all = trialsOf(hparams, listed);
  const trials = left(all, rows);
  return {
    parameters: hparams.parameters,
    metrics: hparams.metrics,
    trials,
    all,
    loaded: data !== undefined,
    error: data ? null : error,
  };
}

const trialsOf = memoize(({ trials }: Hparams, listed: readonly RunDetails[]): readonly Trial[] => {
  const membersByRun = new Map(trials.map((trial) => [trial.run, trial.members]));
  const known = new Set(listed.map(({ id }) => id));
  return listed.flatMap((details) => {
    const members = membersByRun.get(details.id);
    if (!members) return [];
    const runs = Object.values(members)
      .flat()
      .filter((id) => known.has(id));
    return [{ details, members, runs }];
  });
});

const left = memoize((trials: readonly Trial[], rows: readonly RunDetails[]): readonly Trial[] => {
  const filteredRows = new Set(rows.map(({ id }) => id));
  return trials.filter(
    ({ details, runs }) => filteredRows.has(details.id) || runs.some((id) => filteredRows.has(id)),
  );
});

export interface TrialTable {
  study: Study;
  rows: readonly TrialRow[];
  columns: readonly TrialColumn[];
  /** The cells of each row, by column id. */
  cells: ReadonlyMap<string, readonly Cell[]>;
  /** Indices of the rows that pass the filters, in order. */
  filteredRows: readonly number[];
  /** The paint of each row. */
  paints: readonly Paint[];
  /** The range of the colours; null if they stand for runs, groups or text. */
  ramp: RampEnds | null;
}

export function useTrialTable(): TrialTable {
  const study = useStudy();
  const view = useView((each) => each.hparams);
  const columns = useTrialColumns(study);
  const colorColumn = useMemo(() => parseTrialColumn(view.color), [view.color]);
  const needed = useMemo(() => neededBy(columns, view, colorColumn), [columns, view, colorColumn]);
  const metrics = useMetricValues(useMemo(() => askedFor(needed), [needed]));
  const rows = useMemo(() => rowsOf(study.trials, view.together), [study.trials, view.together]);
  const cells = useMemo(
    () => new Map(needed.map((column) => [column.id, cellsOf(column, rows, metrics, view.together)])),
    [needed, rows, metrics, view.together],
  );
  const listed = useMemo(() => filterRows(rows.length, cells, view), [rows.length, cells, view]);
  const coloring = useColoring();
  const { paints, ramp } = useMemo(() => {
    const own = colorColumn && cells.get(colorColumn.id);
    if (own) {
      const { paints: found, ends } = paintsOf(own);
      return { paints: found, ramp: ends };
    }
    const { legend } = coloring;
    return {
      paints: rows.map(({ details }) => coloring.paintOf(details)),
      ramp: legend?.kind === "ramp" ? legend : null,
    };
  }, [rows, cells, coloring, colorColumn]);
  return { study, rows, columns, cells, filteredRows: listed, paints, ramp };
}

/** The columns and axes: those chosen or the defaults. */
export function useTrialColumns({ parameters, metrics, all }: Study): readonly TrialColumn[] {
  const ids = useView((view) => view.hparams.columns);
  return useMemo(() => {
    const chosen = ids.flatMap((id) => parseTrialColumn(id) ?? []);
    return chosen.length > 0 ? chosen : usualColumns(parameters, metrics, all, metricRank);
  }, [ids, parameters, metrics, all]);
}

function neededBy(
  columns: readonly TrialColumn[],
  { filters, sort }: HparamsView,
  color: TrialColumn | null,
): readonly TrialColumn[] {
  const others = [...Object.keys(filters), ...(sort ? [sort.column] : [])];
  const all = [...columns, ...others.flatMap((id) => parseTrialColumn(id) ?? []), ...(color ? [color] : [])];
  return [...new Map(all.map((column) => [column.id, column])).values()];
}

function askedFor(columns: readonly TrialColumn[]): readonly Metric[] {
  const metrics = columns
    .filter((column): column is TrialMetricColumn => column.kind === "metric")
    .map(({ tag, stat }) => metricColumn(tag, stat));
  return [...new Map(metrics.map((metric) => [metric.id, metric])).values()];
}

function filterRows(
  count: number,
  cells: ReadonlyMap<string, readonly Cell[]>,
  { filters, sort }: HparamsView,
): readonly number[] {
  const tests = Object.entries(filters).flatMap(([id, filter]) => {
    const column = cells.get(id);
    return column ? [{ column, pass: passes(filter) }] : [];
  });
  const passing: number[] = [];
  for (let row = 0; row < count; row++)
    if (tests.every(({ column, pass }) => pass(column[row] ?? null))) passing.push(row);
  const by = sort && cells.get(sort.column);
  if (by) passing.sort((a, b) => compareCells(by[a] ?? null, by[b] ?? null, sort.down));
  return passing;
}

/** Changes the state of the page as an undoable step. */
export function showTrials(patch: Partial<HparamsView>): void {
  commit({ hparams: { ...useView.getState().hparams, ...patch } });
}
