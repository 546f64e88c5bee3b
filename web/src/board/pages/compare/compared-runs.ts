/** The compared runs and their baseline. */

import { useMemo } from "react";
import { type RunDetails, useListedDetails } from "../../runs/run-details";
import { useVisibleRuns } from "../../runs/visible-runs";
import { useView } from "../../view/view";

/** More columns than this are not readable. */
export const MAX_COMPARED = 20;

export interface ComparedRuns {
  runs: readonly RunDetails[];
  /** One of `runs`; null only if there are none. */
  baseline: RunDetails | null;
  /** The number of runs without the limit. */
  requestedCount: number;
}

/** The runs named in the address, otherwise the visible ones. */
export function useComparedRuns(): ComparedRuns {
  const listed = useListedDetails();
  const visible = useVisibleRuns();
  const names = useView((view) => view.compare);
  const base = useView((view) => view.baseline);
  return useMemo(() => {
    const byName = new Map(listed.map((run) => [run.name, run]));
    const chosen =
      names.length > 0
        ? names.flatMap((name) => byName.get(name) ?? [])
        : listed.filter(({ id }) => visible.has(id));
    const runs = chosen.slice(0, MAX_COMPARED);
    const baseline = runs.find(({ name }) => name === base) ?? runs[0] ?? null;
    return { runs, baseline, requestedCount: chosen.length };
  }, [listed, visible, names, base]);
}
