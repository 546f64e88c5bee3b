/** Labels of the visible runs: the part that all names share is left out, and shown once in headings. */

import { memoize } from "../../lib/memoize";
import { shortNames } from "../../lib/short-names";
import { useView } from "../view/view";
import { type RunDetails, useListedDetails } from "./run-details";
import { useVisibleRuns } from "./visible-runs";

export interface RunLabels {
  /** The part that the names of all visible runs share; empty if there is none, or only one run. */
  common: string;
  /** Shortened labels by run id. */
  short: ReadonlyMap<number, string>;
}

const NO_LABELS: RunLabels = { common: "", short: new Map() };

/** Names that users gave are not shortened. */
export function runLabels(runs: readonly Pick<RunDetails, "id" | "name" | "label">[]): RunLabels {
  const named = runs.filter(({ name, label }) => label === name);
  if (named.length < 2) return NO_LABELS;
  const { common, each } = shortNames(named.map(({ name }) => name));
  if (common === "") return NO_LABELS;
  return { common, short: new Map(named.map(({ id }, at) => [id, each[at]!])) };
}

const labelsOf = memoize(
  (runs: readonly RunDetails[], visible: ReadonlySet<number>, compared: readonly string[]): RunLabels => {
    const names = new Set(compared);
    return runLabels(runs.filter(({ id, name }) => (names.size > 0 ? names.has(name) : visible.has(id))));
  },
);

const NOBODY: readonly string[] = [];
let latest = NO_LABELS;

export function useRunLabels(): RunLabels {
  latest = labelsOf(
    useListedDetails(),
    useVisibleRuns(),
    useView((view) => (view.page === "compare" ? view.compare : NOBODY)),
  );
  return latest;
}

/** The shared part, for code outside React. */
export const sharedByRuns = () => latest.common;
