/** Switching runs on and off, from the table and by keys. */

import { exactly, type Selectable } from "./selection";
import { change, commit, useView } from "./view";
import type { Shown } from "./viewstate";
import { currentDefaults } from "./visible";

export interface Scope {
  /** Every run there is. */
  runs: readonly Selectable[];
  /** Ids of those drawn now. */
  visible: ReadonlySet<number>;
}

/** One run on or off. */
export function switchRun({ runs, visible }: Scope, run: Selectable, on: boolean): void {
  change({ runs: choiceOf(runs, switched(visible, [run], on)) });
}

/** All or none of `rows`, those a filter leaves; the other runs stay as they are. */
export function switchAll({ runs, visible }: Scope, rows: readonly Selectable[], on: boolean): void {
  commit({ runs: choiceOf(runs, switched(visible, rows, on)) });
}

let before: { only: ReadonlySet<number>; choice: Shown } | null = null;

/** Only this run; the same again brings back the very set there was. */
export function onlyRun(scope: Scope, run: Selectable): void {
  onlyRuns(scope, [run]);
}

/** Only these runs; the same again brings back the very set there was. */
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

function choiceOf(runs: readonly Selectable[], visible: ReadonlySet<number>): Shown {
  return exactly(runs, visible, currentDefaults());
}
