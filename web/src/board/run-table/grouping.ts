/** A grouping by another criterion that keeps line and band. */

import type { Grouping } from "../view/view-state";

export function newGrouping(by: string, before: Grouping | null): Grouping {
  return before ? { ...before, by } : { by, statistic: "mean", band: "sd", members: false };
}
