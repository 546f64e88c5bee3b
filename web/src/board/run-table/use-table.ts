/** The complete state of the run table: sorted rows, columns, colours, visibility. */

import { useMemo, useRef } from "react";
import { create } from "zustand";
import { memoize } from "../../lib/memoize";
import { naturalOrder } from "../../lib/natural-order";
import type { Coloring } from "../runs/coloring";
import { type Column, type Metric, type MetricValues, parseColumn } from "../runs/column";
import { useFilteredRuns } from "../runs/filtered-runs";
import type { RunGroups } from "../runs/groups";
import { useMetricValues } from "../runs/metric-values";
import type { Query, QueryError } from "../runs/query";
import { type RunDetails, useListedDetails, useRunDetails } from "../runs/run-details";
import { useColoring, useRunGroups } from "../runs/run-groups";
import { type TablePlacement, useTableColumns } from "../runs/table-columns";
import { useSwitchedOn } from "../runs/visible-runs";
import { useView } from "../view/view";
import { arrange, sortRuns, type TableRow, treeByDefault } from "./rows";

export interface Table {
  rows: readonly TableRow[];
  /** Its runs, each once. */
  runs: readonly RunDetails[];
  columns: readonly Column[];
  /** There is room beside metric values for their spread, or their difference from the baseline. */
  spreads: boolean;
  /** The baseline run. */
  baseline: RunDetails | null;
  metrics: MetricValues;
  coloring: Coloring;
  grouped: RunGroups;
  query: Query;
  fault: QueryError | null;
  visible: ReadonlySet<number>;
  /** The number of hidden or archived runs. */
  aside: number;
}

interface Folds {
  /** Folders that were folded, groups that were opened. */
  turned: ReadonlySet<string>;
  /** List hidden and archived runs too. */
  aside: boolean;
}

export const useRowFolds = create<Folds>()(() => ({ turned: new Set(), aside: false }));

export function toggleFold(key: string): void {
  const turned = new Set(useRowFolds.getState().turned);
  if (!turned.delete(key)) turned.add(key);
  useRowFolds.setState({ turned });
}

/** Whether a folder (open by default) or a group (folded by default) is open. */
const isOpen = (turned: ReadonlySet<string>) => (key: string, folder: boolean) => turned.has(key) !== folder;

const putAside = memoize((details: readonly RunDetails[]) =>
  details.filter(({ hidden, archived }) => hidden || archived),
);

const byName = (a: RunDetails, b: RunDetails) => naturalOrder(a.label, b.label);

/** `settled`: the charts are drawn, so that default columns may be fetched. */
export function useTable(room: TablePlacement, settled: boolean, inside: { current: boolean }): Table {
  const { rows: found, query, metrics: compared, fault } = useFilteredRuns();
  const listed = useListedDetails();
  const aside = putAside(useRunDetails());
  const { turned, aside: showAside } = useRowFolds();
  const sort = useView((view) => view.sort);
  const pins = useView((view) => view.runPins);
  const tree = useView((view) => view.tree) ?? treeByDefault(listed);
  const chosen = useView((view) => view.table.length > 0);
  const columns = useTableColumns(room);
  const baselineName = useView((view) => view.baseline);
  const baseline = useMemo(
    () => listed.find(({ name }) => name === baselineName) ?? null,
    [listed, baselineName],
  );
  const grouped = useRunGroups();
  const wanted = useMemo(() => metricsOf(columns, sort), [columns, sort]);
  const metrics = useMetricValues(wanted, settled || chosen || sort.length > 0);

  const ordered = useMemo(() => sortRuns(found, sort, parseColumn, metrics, byName), [found, sort, metrics]);
  const complete = useMemo(() => metricsOf([], sort).every(({ id }) => metrics.has(id)), [sort, metrics]);
  const runs = useHeldOrder(ordered, inside, sort, complete);
  const shownAside = useMemo(
    () => (showAside ? aside.filter((details) => query.matches(details, compared)) : []),
    [showAside, aside, query, compared],
  );
  const rows = useMemo(() => {
    const arranged = arrange(runs, { pins, tree, grouped, sorted: sort.length > 0, isOpen: isOpen(turned) });
    return shownAside.length === 0 ? arranged : [...arranged, ...asideRows(shownAside)];
  }, [runs, pins, tree, grouped, sort, turned, shownAside]);

  return {
    rows,
    runs,
    columns,
    spreads: grouped.groups.length > 0 || (room === "page" && (tree || baseline !== null)),
    baseline,
    metrics,
    coloring: useColoring(),
    grouped,
    query,
    fault,
    visible: useSwitchedOn(),
    aside: aside.length,
  };
}

function metricsOf(columns: readonly Column[], sort: readonly { column: string }[]): readonly Metric[] {
  const all = [...columns, ...sort.flatMap(({ column }) => parseColumn(column) ?? [])];
  const metrics = all.filter((column): column is Metric => column.kind === "metric");
  return [...new Map(metrics.map((metric) => [metric.id, metric])).values()];
}

function asideRows(runs: readonly RunDetails[]): TableRow[] {
  return [
    { kind: "head", key: "aside", what: "aside", count: runs.length },
    ...runs.map(
      (details): TableRow => ({
        kind: "run",
        key: String(details.id),
        details,
        depth: 0,
        label: details.label,
        pinned: false,
      }),
    ),
  ];
}

/**
 * While the pointer is over the table, new values do not move rows. Choosing another order does, and so does the arrival
 * of the values that it needs (`complete`).
 */
function useHeldOrder(
  runs: readonly RunDetails[],
  inside: { current: boolean },
  sort: unknown,
  complete: boolean,
): readonly RunDetails[] {
  const frozen = useRef({ runs, sort, complete });
  return useMemo(() => {
    const before = frozen.current;
    let answer = runs;
    const isHeld = inside.current && before.complete && before.sort === sort;
    if (isHeld && before.runs.length === runs.length) {
      const now = new Map(runs.map((details) => [details.id, details]));
      if (before.runs.every(({ id }) => now.has(id))) answer = before.runs.map(({ id }) => now.get(id)!);
    }
    frozen.current = { runs: answer, sort, complete };
    return answer;
  }, [runs, sort, complete, inside]);
}
