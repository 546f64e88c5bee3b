/** Everything the run table shows, brought together: rows in their order, columns, colours, what is on. */

import { useMemo, useRef } from "react";
import { create } from "zustand";
import { remember } from "../../base/remember";
import type { Coloring } from "../../state/coloring";
import { type Column, type Metric, type MetricValues, parseColumn } from "../../state/column";
import { useWanted } from "../../state/columns";
import { type RunFacts, useFacts, useListed } from "../../state/facts";
import { useFiltered } from "../../state/filtered";
import { useColoring, useGrouped } from "../../state/grouped";
import type { Grouped } from "../../state/groups";
import { naturalOrder } from "../../state/natural";
import type { Query, QueryFault } from "../../state/query";
import { type Room, useTableColumns } from "../../state/tablecolumns";
import { useView } from "../../state/view";
import { useSwitchedOn } from "../../state/visible";
import { arrange, sorted, type TableRow, treeByDefault } from "./rows";

export interface Table {
  rows: readonly TableRow[];
  /** The runs in them, once each. */
  runs: readonly RunFacts[];
  columns: readonly Column[];
  /** Beside the values of metrics there is room for how they spread, or differ from those of the baseline. */
  spreads: boolean;
  /** The run that differences are measured from. */
  baseline: RunFacts | null;
  metrics: MetricValues;
  coloring: Coloring;
  grouped: Grouped;
  query: Query;
  fault: QueryFault | null;
  visible: ReadonlySet<number>;
  /** Runs put aside: hidden or archived ones. */
  aside: number;
}

interface Folds {
  /** Folders that were folded, groups that were opened. */
  turned: ReadonlySet<string>;
  /** Hidden and archived runs are listed too. */
  aside: boolean;
}

export const useFolds = create<Folds>()(() => ({ turned: new Set(), aside: false }));

export function turn(key: string): void {
  const turned = new Set(useFolds.getState().turned);
  if (!turned.delete(key)) turned.add(key);
  useFolds.setState({ turned });
}

/** Whether a folder (open if nobody said otherwise) or a group (folded) is open. */
const isOpen = (turned: ReadonlySet<string>) => (key: string, folder: boolean) => turned.has(key) !== folder;

const putAside = remember((facts: readonly RunFacts[]) =>
  facts.filter(({ hidden, archived }) => hidden || archived),
);

const byName = (a: RunFacts, b: RunFacts) => naturalOrder(a.label, b.label);

/** `settled`: the charts are up, and what is shown without being asked for may be fetched. */
export function useTable(room: Room, settled: boolean, inside: { current: boolean }): Table {
  const { rows: found, query, fault } = useFiltered();
  const listed = useListed();
  const aside = putAside(useFacts());
  const { turned, aside: showAside } = useFolds();
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
  const grouped = useGrouped();
  const wanted = useMemo(() => metricsOf(columns, sort), [columns, sort]);
  const metrics = useWanted(wanted, settled || chosen || sort.length > 0);

  const ordered = useMemo(() => sorted(found, sort, parseColumn, metrics, byName), [found, sort, metrics]);
  const runs = useHeldOrder(ordered, inside, sort);
  const shownAside = useMemo(
    () => (showAside ? aside.filter((facts) => query.matches(facts, metrics)) : []),
    [showAside, aside, query, metrics],
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

function asideRows(runs: readonly RunFacts[]): TableRow[] {
  return [
    { kind: "head", key: "aside", what: "aside", count: runs.length },
    ...runs.map(
      (facts): TableRow => ({
        kind: "run",
        key: String(facts.id),
        facts,
        depth: 0,
        label: facts.label,
        pinned: false,
      }),
    ),
  ];
}

/** While the pointer is over the table, new values do not move rows from under it; a new order that is asked for does. */
function useHeldOrder(
  runs: readonly RunFacts[],
  inside: { current: boolean },
  sort: unknown,
): readonly RunFacts[] {
  const held = useRef<{ runs: readonly RunFacts[]; sort: unknown }>({ runs, sort });
  return useMemo(() => {
    const { runs: before, sort: was } = held.current;
    let answer = runs;
    if (inside.current && was === sort && before.length === runs.length) {
      const now = new Map(runs.map((facts) => [facts.id, facts]));
      if (before.every(({ id }) => now.has(id))) answer = before.map(({ id }) => now.get(id)!);
    }
    held.current = { runs: answer, sort };
    return answer;
  }, [runs, sort, inside]);
}
