/** The runs that are switched on, and those of them to draw: combines the list, the selection and the filter. */

import { memoize } from "../../lib/memoize";
import { useStatus } from "../data/lists";
import { defaultRuns, type Selectable, visibleRuns } from "../view/selection";
import { useView } from "../view/view";
import type { RunSelection } from "../view/view-state";
import { useFilteredRuns } from "./filtered-runs";
import { type RunDetails, useListedRuns } from "./run-details";

type StableDefaults = (runs: readonly Selectable[], loading: boolean, query: unknown) => ReadonlySet<number>;

/**
 * Computes the default selection, which is fixed once the server has read everything: from then on activity does not
 * switch runs on and off. Later runs are added while there are few. Another `query` starts over.
 */
function createStableDefaults(): StableDefaults {
  let ids: ReadonlySet<number> = new Set();
  let settled = false;
  let last: unknown = null;
  return (runs, loading, query) => {
    const fresh = defaultRuns(runs);
    const all = fresh.size === runs.length;
    if (!settled || loading || all || query !== last) ids = fresh;
    settled = !loading && !all;
    last = query;
    return ids;
  };
}

const stableDefaults = createStableDefaults();
const stableMatches = createStableDefaults();
let defaults: ReadonlySet<number> = new Set();

/** The current default selection, for code that describes a selection relative to it. */
export function currentDefaults(): ReadonlySet<number> {
  return defaults;
}

/**
 * Of very many runs only the latest are on by default. Runs that match a filter are on as well, otherwise it would
 * find nothing to draw.
 */
const defaultsOf = memoize(
  (runs: readonly Selectable[], matches: readonly RunDetails[], loading: boolean, query: unknown) => {
    const base = stableDefaults(runs, loading, null);
    if (matches.length === runs.length || base.size === runs.length) return base;
    const more = stableMatches(
      matches.map(({ run }) => run),
      loading,
      query,
    );
    return new Set([...base, ...more]);
  },
);

const switchedOn = memoize(visibleRuns);

/** Ids of the listed runs whose boxes are checked. */
export function useSwitchedOn(): ReadonlySet<number> {
  const runs = useListedRuns();
  const { rows, query } = useFilteredRuns();
  const choice: RunSelection = useView((view) => view.runs);
  defaults = defaultsOf(runs, rows, useStatus().data?.loading ?? true, query);
  return switchedOn(runs, choice, defaults);
}

const among = memoize((on: ReadonlySet<number>, rows: readonly RunDetails[], query: number) =>
  rows.length === query ? on : new Set(rows.flatMap(({ id }) => (on.has(id) ? [id] : []))),
);

/** Ids of the runs to draw: those that are switched on and match the filter. */
export function useVisibleRuns(): ReadonlySet<number> {
  return among(useSwitchedOn(), useFilteredRuns().rows, useListedRuns().length);
}
