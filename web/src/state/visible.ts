/** The runs to draw: the lists and the choice of `selection.ts` brought together. */

import { remember } from "../base/remember";
import { useListedRuns } from "./facts";
import { useStatus } from "./lists";
import { defaultRuns, type Selectable, visibleRuns } from "./selection";
import { useView } from "./view";
import type { Shown } from "./viewstate";

let defaults: ReadonlySet<number> = new Set();
let settled = false;

/**
 * Ids of the runs the base draws. Settled when the server has read everything: from then on activity does not
 * switch runs on and off under the reader; runs that come later join while there are few.
 */
function settle(runs: readonly Selectable[], loading: boolean): ReadonlySet<number> {
  const fresh = defaultRuns(runs);
  const all = fresh.size === runs.length;
  if (!settled || loading || all) defaults = fresh;
  settled = !loading && !all;
  return defaults;
}

/** The base as it stands, for those who put a choice into words. */
export function currentDefaults(): ReadonlySet<number> {
  return defaults;
}

const visibleOf = remember(
  (runs: readonly Selectable[], loading: boolean, choice: Shown): ReadonlySet<number> =>
    visibleRuns(runs, choice, settle(runs, loading)),
);

/** Ids of the runs to draw, of those listed. */
export function useVisibleRuns(): ReadonlySet<number> {
  return visibleOf(
    useListedRuns(),
    useStatus().data?.loading ?? true,
    useView((view) => view.runs),
  );
}
