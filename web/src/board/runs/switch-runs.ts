/** Switches runs on and off, from the table and by keys. */

import { type Selectable, selectionOf } from "../view/selection";
import { change, commit, useView } from "../view/view";
import type { RunSelection } from "../view/view-state";
import { currentDefaults } from "./visible-runs";

export interface Scope {
  /** All runs. */
  runs: readonly Selectable[];
  /** Ids of the visible runs. */
  visible: ReadonlySet<number>;
}

export function switchRun({ runs, visible }: Scope, run: Selectable, on: boolean): void {
  change({ runs: choiceOf(runs, switched(visible, [run], on)) });
}

/** Switches all of `rows`, the runs that match the filter; other runs stay as they are. */
export function switchAll({ runs, visible }: Scope, rows: readonly Selectable[], on: boolean): void {
  commit({ runs: choiceOf(runs, switched(visible, rows, on)) });
}

let before: { only: ReadonlySet<number>; choice: RunSelection } | null = null;

/** Shows only this run; again, it restores the previous selection. */
export function onlyRun(scope: Scope, run: Selectable): void {
  onlyRuns(scope, [run]);
}

/** Shows only these runs; again, it restores the previous selection. */
export function onlyRuns({ runs, visible }: Scope, rows: readonly Selectable[]): void {
  const only = new Set(rows.map(({ id }) => id));
  if (before && sameSet(before.only, only) && sameSet(visible, only)) {
    const { choice } = before;
    before = null;
    commit({ runs: choice });
    return;
  }
  before = { only, choice: useView.getState().runs };
  commit({ runs: choiceOf(runs, only) });
}

function sameSet(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  return a.size === b.size && [...a].every((id) => b.has(id));
}

function switched(visible: ReadonlySet<number>, rows: readonly Selectable[], on: boolean): Set<number> {
  const next = new Set(visible);
  for (const run of rows) {
    if (on) next.add(run.id);
    else next.delete(run.id);
  }
  return next;
}

function choiceOf(runs: readonly Selectable[], visible: ReadonlySet<number>): RunSelection {
  return selectionOf(runs, visible, currentDefaults());
}
