/** The runs to draw, as hooks: the lists and the choice of `selection.ts` brought together. */

import { useMemo, useRef } from "react";
import { useRuns, useStatus } from "./lists";
import { defaultRuns, visibleRuns } from "./selection";
import { useView } from "./view";

/**
 * Ids of the runs the base draws. Settled when the server has read everything: from then on activity does not
 * switch runs on and off under the reader; runs that come later join while there are few.
 */
export function useDefaultRuns(): ReadonlySet<number> {
  const runs = useRuns();
  const loading = useStatus().data?.loading ?? true;
  const settled = useRef<ReadonlySet<number> | null>(null);
  return useMemo(() => {
    const fresh = defaultRuns(runs);
    if (fresh.size === runs.length || loading) {
      settled.current = null;
      return fresh;
    }
    settled.current ??= fresh;
    return settled.current;
  }, [runs, loading]);
}

export function useVisibleRuns(): ReadonlySet<number> {
  const runs = useRuns();
  const defaults = useDefaultRuns();
  const choice = useView((view) => view.runs);
  return useMemo(() => visibleRuns(runs, choice, defaults), [runs, choice, defaults]);
}
