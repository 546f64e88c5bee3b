/** Metrics that had numbers and end in NaN or an infinity, and their texts. */

import { say } from "../../i18n/words";
import { formatStep, formatValue } from "../../lib/number";

export interface NonfiniteMetric {
  /** The first metric that became non-finite, and the number of such metrics. */
  tag: string;
  step: number;
  value: number;
  tags: number;
}

/** "NaN from step 3 310". */
export function nonfiniteText({ value, step }: Pick<NonfiniteMetric, "value" | "step">): string {
  return say("lost.from", { value: formatValue(value), step: formatStep(step) });
}

/** The tooltip: which metric, and how many more. */
export function nonfiniteTip({ tag, value, step, tags }: NonfiniteMetric): string {
  return say("lost.tip", { tag, value: formatValue(value), step: formatStep(step), more: tags - 1 });
}

/** "1 of 3 (2 NaN)": how many have a value, and how many have a non-finite one. */
export function partlyNonfiniteText(count: number, nonfinite: number, value = Number.NaN): string {
  return say("lost.some", { count, all: count + nonfinite, lost: nonfinite, value: formatValue(value) });
}
