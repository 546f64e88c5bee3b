/** Groupings that make few lines of many, for a click: by folder, and by hyperparameters with few values. Pure. */

import { groupRuns } from "./groups";
import type { RunDetails } from "./run-details";
import { differingKeys } from "./table-columns";

export interface GroupingOffer {
  /** As in the view: `folder`, `config:lr`. */
  by: string;
  /** The hyperparameter; null for folders. */
  key: string | null;
  groups: number;
}

const MOST_KEYS = 3;
/** More lines of groups would be another blanket; fewer groups than two say nothing. */
const MOST_GROUPS = 12;
/** What repeats a run rather than describes it: a mean over everything else has no use. */
const REPETITION = /(^|[._/-])(seed|id|index|fold|trial|rep(eat|lica)?|run|job|name)s?$/i;

export function groupingOffers(runs: readonly RunDetails[]): readonly GroupingOffer[] {
  const folders = offerOf(runs, "folder", null);
  const keys = differingKeys(runs)
    .filter((key) => !REPETITION.test(key))
    .map((key) => offerOf(runs, `config:${key}`, key))
    .filter(({ groups }) => groups >= 2 && groups <= MOST_GROUPS)
    // The more values it has, the more a sweep was about it.
    .toSorted((a, b) => b.groups - a.groups);
  const repeats = folders.groups >= 2 && folders.groups <= runs.length / 2;
  return [...(repeats ? [folders] : []), ...keys.slice(0, MOST_KEYS)];
}

function offerOf(runs: readonly RunDetails[], by: string, key: string | null): GroupingOffer {
  const { groups, groupOf } = groupRuns(runs, by);
  return { by, key, groups: groups.length + runs.length - groupOf.size };
}
