/**
 * Which runs are drawn, as names that differ from a base, so that the selection survives a restart of the server and
 * fits an address. Pure.
 */

import { ALL_DEFAULT, type RunSelection } from "./view-state";

/** Above this number of runs only the latest are drawn by default. */
export const MANY_RUNS = 500;
export const LATEST_SHOWN = 50;

export interface Selectable {
  id: number;
  name: string;
  /** Seconds since the epoch; numbers that JSON cannot express are strings. */
  last_wall_time: number | string | null;
}

/** Ids of the runs that the base `default` selects: all, or those with the latest activity. */
export function defaultRuns(runs: readonly Selectable[]): ReadonlySet<number> {
  if (runs.length <= MANY_RUNS) return new Set(runs.map((run) => run.id));
  const latest = [...runs].sort(byActivity).slice(0, LATEST_SHOWN);
  return new Set(latest.map((run) => run.id));
}

function byActivity(a: Selectable, b: Selectable): number {
  return activity(b) - activity(a) || a.id - b.id;
}

function activity({ last_wall_time }: Selectable): number {
  return typeof last_wall_time === "number" ? last_wall_time : 0;
}

/** Ids of the selected runs. */
export function visibleRuns(
  runs: readonly Selectable[],
  choice: RunSelection,
  defaults: ReadonlySet<number>,
): ReadonlySet<number> {
  const shown = new Set(choice.shown);
  const hidden = new Set(choice.hidden);
  const visible = new Set<number>();
  for (const run of runs) {
    const base = choice.base === "default" ? defaults.has(run.id) : choice.base === "all";
    if (shown.has(run.name) || (base && !hidden.has(run.name))) visible.add(run.id);
  }
  return visible;
}

/** The shortest selection that means exactly these runs, so that addresses stay short. */
export function selectionOf(
  runs: readonly Selectable[],
  visible: ReadonlySet<number>,
  defaults: ReadonlySet<number>,
): RunSelection {
  const on = runs.filter((run) => visible.has(run.id));
  const off = runs.filter((run) => !visible.has(run.id));
  const wayFromDefault: RunSelection = {
    base: "default",
    shown: on.filter((run) => !defaults.has(run.id)).map((run) => run.name),
    hidden: off.filter((run) => defaults.has(run.id)).map((run) => run.name),
  };
  const ways: RunSelection[] = [
    wayFromDefault,
    { base: "none", shown: on.map((run) => run.name), hidden: [] },
    { base: "all", shown: [], hidden: off.map((run) => run.name) },
  ];
  const length = (way: RunSelection) => way.shown.length + way.hidden.length;
  return ways.reduce((best, way) => (length(way) < length(best) ? way : best), ways[0] ?? ALL_DEFAULT);
}
