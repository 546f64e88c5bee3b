/** A grouping by something else, with the line and band chosen before. */

import type { Grouping } from "../../state/viewstate";

export function newGrouping(by: string, before: Grouping | null): Grouping {
  return before ? { ...before, by } : { by, statistic: "mean", band: "sd", members: false };
}
