/** Switching many runs at once, from the table and by keys. */

import { exactly, type Selectable } from "./selection";
import { commit, useView } from "./view";
import type { Shown } from "./viewstate";

/** All or none of `rows`, those a filter leaves; the other runs stay as they are. */
export function switchAll(
  runs: readonly Selectable[],
  rows: readonly Selectable[],
  visible: ReadonlySet<number>,
  on: boolean,
): void {
  const next = new Set(visible);
  for (const run of rows) {
    if (on) next.add(run.id);
    else next.delete(run.id);
  }
  commit({ runs: exactly(runs, next) });
}

let before: { run: number; choice: Shown } | null = null;

/** Only this run; the same again brings back the very set there was. */
export function onlyRun(runs: readonly Selectable[], visible: ReadonlySet<number>, run: Selectable): void {
  if (before?.run === run.id && visible.size === 1 && visible.has(run.id)) {
    const { choice } = before;
    before = null;
    commit({ runs: choice });
    return;
  }
  before = { run: run.id, choice: useView.getState().runs };
  commit({ runs: exactly(runs, new Set([run.id])) });
}
