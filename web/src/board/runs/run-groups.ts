/** Groups and colours of the listed runs, as the view has them. Shared by table and charts. */

import { useMemo } from "react";
import { memoize } from "../../lib/memoize";
import { useView } from "../view/view";
import { type Coloring, coloringBy } from "./coloring";
import { NO_METRICS, parseColumn } from "./column";
import { groupRuns, NO_GROUPS, type RunGroups } from "./groups";
import { useMetricValues } from "./metric-values";
import { type RunDetails, useListedDetails } from "./run-details";

const runGroups = memoize((runs: readonly RunDetails[], by: string | null): RunGroups => {
  if (by === null) return NO_GROUPS;
  try {
    return groupRuns(runs, by);
  } catch {
    // An invalid pattern from an address groups nothing.
    return NO_GROUPS;
  }
});

let latest: RunGroups = NO_GROUPS;

/** Ids of the runs behind a line of a chart: the run, or the members of the group. */
export function runsOfLine(line: number): readonly number[] {
  const group = latest.groups.find(({ id }) => id === line);
  return group ? group.members.map(({ id }) => id) : [line];
}

const coloring = memoize(coloringBy);

export function useRunGroups(): RunGroups {
  latest = runGroups(
    useListedDetails(),
    useView((view) => view.grouping?.by ?? null),
  );
  return latest;
}

export function useColoring(): Coloring {
  const by = useView((view) => view.colorBy);
  const column = useMemo(() => parseColumn(by), [by]);
  const metric = column?.kind === "metric" ? column : null;
  const values = useMetricValues(useMemo(() => (metric ? [metric] : []), [metric]));
  return coloring(by, useListedDetails(), useRunGroups(), metric ? values : NO_METRICS);
}
