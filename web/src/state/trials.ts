/** The trials of the board as the page of hyper-parameters shows them: rows, columns, cells, what filters leave. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { askHparams } from "../api/hparams";
import type { Hparams, HyperParameter, TrialMetric } from "../api/schema.gen";
import { remember } from "../base/remember";
import { type Paint, paintsOf, type RampEnds } from "./coloring";
import { type Cell, compareCells, type Metric, metricColumn } from "./column";
import { useWanted } from "./columns";
import { type RunFacts, useListed } from "./facts";
import { useFiltered } from "./filtered";
import { useColoring } from "./grouped";
import type { HparamsView } from "./hparamsview";
import { KIND_TAGS } from "./kindtags";
import { metricRank } from "./tablecolumns";
import {
  cellsOf,
  parseTrialColumn,
  rowsOf,
  type Trial,
  type TrialColumn,
  type TrialMetricColumn,
  type TrialRow,
  usualColumns,
} from "./trialcolumn";
import { passes } from "./trialfilter";
import { commit, useView } from "./view";

export interface Study {
  parameters: readonly HyperParameter[];
  metrics: readonly TrialMetric[];
  /** Of the runs that are neither hidden nor left out by the filter of runs. */
  trials: readonly Trial[];
  /** Before that filter. */
  all: readonly Trial[];
  /** They were told. */
  known: boolean;
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
    // Asked for again when runs or tags come or go: what comes with points is in the lists of runs and of columns.
    queryKey: [KIND_TAGS, "hparams", "trials"],
    queryFn: ({ signal }) => askHparams(signal),
    placeholderData: keepPreviousData,
  });
  const listed = useListed();
  const { rows } = useFiltered();
  const told = data ?? NOTHING;
  const all = trialsOf(told, listed);
  const trials = left(all, rows);
  return {
    parameters: told.parameters,
    metrics: told.metrics,
    trials,
    all,
    known: data !== undefined,
    error: data ? null : error,
  };
}

const trialsOf = remember(({ trials }: Hparams, listed: readonly RunFacts[]): readonly Trial[] => {
  const told = new Map(trials.map((trial) => [trial.run, trial.members]));
  const known = new Set(listed.map(({ id }) => id));
  return listed.flatMap((facts) => {
    const members = told.get(facts.id);
    if (!members) return [];
    const runs = Object.values(members)
      .flat()
      .filter((id) => known.has(id));
    return [{ facts, members, runs }];
  });
});

const left = remember((trials: readonly Trial[], rows: readonly RunFacts[]): readonly Trial[] => {
  const kept = new Set(rows.map(({ id }) => id));
  return trials.filter(({ facts, runs }) => kept.has(facts.id) || runs.some((id) => kept.has(id)));
});

export interface TrialTable {
  study: Study;
  rows: readonly TrialRow[];
  columns: readonly TrialColumn[];
  /** By the id of a column, for each row. */
  cells: ReadonlyMap<string, readonly Cell[]>;
  /** Places of the rows that pass the filters, in their order. */
  kept: readonly number[];
  /** For each row. */
  paints: readonly Paint[];
  /** The numbers that the colours stand for; null where they stand for runs, groups or words. */
  ramp: RampEnds | null;
}

export function useTrialTable(): TrialTable {
  const study = useStudy();
  const view = useView((each) => each.hparams);
  const columns = useTrialColumns(study);
  const colorColumn = useMemo(() => parseTrialColumn(view.color), [view.color]);
  const needed = useMemo(() => neededBy(columns, view, colorColumn), [columns, view, colorColumn]);
  const metrics = useWanted(useMemo(() => askedFor(needed), [needed]));
  const rows = useMemo(() => rowsOf(study.trials, view.together), [study.trials, view.together]);
  const cells = useMemo(
    () => new Map(needed.map((column) => [column.id, cellsOf(column, rows, metrics, view.together)])),
    [needed, rows, metrics, view.together],
  );
  const kept = useMemo(() => keptRows(rows.length, cells, view), [rows.length, cells, view]);
  const coloring = useColoring();
  const { paints, ramp } = useMemo(() => {
    const own = colorColumn && cells.get(colorColumn.id);
    if (own) {
      const { paints: found, ends } = paintsOf(own);
      return { paints: found, ramp: ends };
    }
    const { legend } = coloring;
    return {
      paints: rows.map(({ facts }) => coloring.paintOf(facts)),
      ramp: legend?.kind === "ramp" ? legend : null,
    };
  }, [rows, cells, coloring, colorColumn]);
  return { study, rows, columns, cells, kept, paints, ramp };
}

/** Columns and axes: those chosen, or the usual ones. */
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

function keptRows(
  count: number,
  cells: ReadonlyMap<string, readonly Cell[]>,
  { filters, sort }: HparamsView,
): readonly number[] {
  const tests = Object.entries(filters).flatMap(([id, filter]) => {
    const column = cells.get(id);
    return column ? [{ column, pass: passes(filter) }] : [];
  });
  const kept: number[] = [];
  for (let row = 0; row < count; row++)
    if (tests.every(({ column, pass }) => pass(column[row] ?? null))) kept.push(row);
  const by = sort && cells.get(sort.column);
  if (by) kept.sort((a, b) => compareCells(by[a] ?? null, by[b] ?? null, sort.down));
  return kept;
}

/** Changes part of what the page shows, as a step that can be undone. */
export function showTrials(patch: Partial<HparamsView>): void {
  commit({ hparams: { ...useView.getState().hparams, ...patch } });
}
