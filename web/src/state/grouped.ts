/** The groups and the colours that the view asks for, over the runs listed: one answer for table and charts. */

import { useMemo } from "react";
import { remember } from "../base/remember";
import { type Coloring, coloringBy } from "./coloring";
import { NO_METRICS, parseColumn } from "./column";
import { useWanted } from "./columns";
import { type RunFacts, useListed } from "./facts";
import { type Grouped, groupRuns, UNGROUPED } from "./groups";
import { useView } from "./view";

const grouped = remember((runs: readonly RunFacts[], by: string | null): Grouped => {
  if (by === null) return UNGROUPED;
  try {
    return groupRuns(runs, by);
  } catch {
    // A pattern out of an address that makes no sense groups nothing.
    return UNGROUPED;
  }
});

let latest: Grouped = UNGROUPED;

/** Ids of the runs a line of a chart stands for: a run, or the members of a group. */
export function runsOfLine(line: number): readonly number[] {
  const group = latest.groups.find(({ id }) => id === line);
  return group ? group.members.map(({ id }) => id) : [line];
}

const coloring = remember(coloringBy);

export function useGrouped(): Grouped {
  latest = grouped(
    useListed(),
    useView((view) => view.grouping?.by ?? null),
  );
  return latest;
}

export function useColoring(): Coloring {
  const by = useView((view) => view.colorBy);
  const column = useMemo(() => parseColumn(by), [by]);
  const metric = column?.kind === "metric" ? column : null;
  const values = useWanted(useMemo(() => (metric ? [metric] : []), [metric]));
  return coloring(by, useListed(), useGrouped(), metric ? values : NO_METRICS);
}
