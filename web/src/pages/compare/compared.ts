/** The runs that are compared, and the one differences are measured from. */

import { useMemo } from "react";
import { type RunFacts, useListed } from "../../state/facts";
import { useView } from "../../state/view";
import { useVisibleRuns } from "../../state/visible";

/** More columns than this tell nobody anything. */
export const MOST_COMPARED = 20;

export interface Compared {
  runs: readonly RunFacts[];
  /** One of `runs`; null only if there are none. */
  baseline: RunFacts | null;
  /** How many there would be without the limit. */
  asked: number;
}

/** Those named in the address, else those on show. */
export function useCompared(): Compared {
  const listed = useListed();
  const visible = useVisibleRuns();
  const names = useView((view) => view.compare);
  const base = useView((view) => view.baseline);
  return useMemo(() => {
    const byName = new Map(listed.map((run) => [run.name, run]));
    const chosen =
      names.length > 0
        ? names.flatMap((name) => byName.get(name) ?? [])
        : listed.filter(({ id }) => visible.has(id));
    const runs = chosen.slice(0, MOST_COMPARED);
    const baseline = runs.find(({ name }) => name === base) ?? runs[0] ?? null;
    return { runs, baseline, asked: chosen.length };
  }, [listed, visible, names, base]);
}
