/** What the runs on show are called beside each other: what all of their names share is said once, in heads. */

import { remember } from "../base/remember";
import { shortNames } from "../base/short-names";
import { type RunFacts, useListed } from "./facts";
import { useView } from "./view";
import { useVisibleRuns } from "./visible";

export interface RunLabels {
  /** What the names of all runs on show share; empty if nothing, or if there is one run alone. */
  common: string;
  /** By id, of the runs that are called something shorter here. */
  short: ReadonlyMap<number, string>;
}

const NO_LABELS: RunLabels = { common: "", short: new Map() };

/** Runs that people named keep their names. */
export function runLabels(runs: readonly Pick<RunFacts, "id" | "name" | "label">[]): RunLabels {
  const named = runs.filter(({ name, label }) => label === name);
  if (named.length < 2) return NO_LABELS;
  const { common, each } = shortNames(named.map(({ name }) => name));
  if (common === "") return NO_LABELS;
  return { common, short: new Map(named.map(({ id }, at) => [id, each[at]!])) };
}

const labelsOf = remember(
  (runs: readonly RunFacts[], visible: ReadonlySet<number>, compared: readonly string[]): RunLabels => {
    const names = new Set(compared);
    return runLabels(runs.filter(({ id, name }) => (names.size > 0 ? names.has(name) : visible.has(id))));
  },
);

const NOBODY: readonly string[] = [];
let latest = NO_LABELS;

export function useRunLabels(): RunLabels {
  latest = labelsOf(
    useListed(),
    useVisibleRuns(),
    useView((view) => (view.page === "compare" ? view.compare : NOBODY)),
  );
  return latest;
}

/** What all runs on show share, for what is not drawn by React. */
export const sharedByRuns = () => latest.common;
