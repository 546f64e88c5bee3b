/** The runs that are switched on, and of those the ones to draw: lists, choice and filter brought together. */

import { remember } from "../base/remember";
import { type RunFacts, useListedRuns } from "./facts";
import { useFiltered } from "./filtered";
import { useStatus } from "./lists";
import { defaultRuns, type Selectable, visibleRuns } from "./selection";
import { useView } from "./view";
import type { Shown } from "./viewstate";

type Settle = (runs: readonly Selectable[], loading: boolean, of: unknown) => ReadonlySet<number>;

/**
 * The runs the base draws of those given. Settled when the server has read everything: from then on activity does not
 * switch runs on and off under the reader; runs that come later join while there are few. Another `of` begins anew.
 */
function settling(): Settle {
  let ids: ReadonlySet<number> = new Set();
  let settled = false;
  let last: unknown = null;
  return (runs, loading, of) => {
    const fresh = defaultRuns(runs);
    const all = fresh.size === runs.length;
    if (!settled || loading || all || of !== last) ids = fresh;
    settled = !loading && !all;
    last = of;
    return ids;
  };
}

const settleAll = settling();
const settleFound = settling();
let defaults: ReadonlySet<number> = new Set();

/** The base as it stands, for those who put a choice into words. */
export function currentDefaults(): ReadonlySet<number> {
  return defaults;
}

/** Of many runs few are on; what a filter finds among the others is on as well, or it would find nothing to look at. */
const defaultsOf = remember(
  (runs: readonly Selectable[], found: readonly RunFacts[], loading: boolean, of: unknown) => {
    const base = settleAll(runs, loading, null);
    if (found.length === runs.length || base.size === runs.length) return base;
    const more = settleFound(
      found.map(({ run }) => run),
      loading,
      of,
    );
    return new Set([...base, ...more]);
  },
);

const switchedOn = remember(visibleRuns);

/** Ids of the runs whose boxes are ticked, of those listed. */
export function useSwitchedOn(): ReadonlySet<number> {
  const runs = useListedRuns();
  const { rows, query } = useFiltered();
  const choice: Shown = useView((view) => view.runs);
  defaults = defaultsOf(runs, rows, useStatus().data?.loading ?? true, query);
  return switchedOn(runs, choice, defaults);
}

const among = remember((on: ReadonlySet<number>, rows: readonly RunFacts[], of: number) =>
  rows.length === of ? on : new Set(rows.flatMap(({ id }) => (on.has(id) ? [id] : []))),
);

/** Ids of the runs to draw: those switched on that the filter of the run table leaves. */
export function useVisibleRuns(): ReadonlySet<number> {
  return among(useSwitchedOn(), useFiltered().rows, useListedRuns().length);
}
