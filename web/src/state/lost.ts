/** Metrics that had numbers once and end in NaN or an infinity, and how that is said. */

import { formatStep, formatValue } from "../base/number";
import { say } from "../words/words";

export interface Lost {
  /** The first metric that was lost, and how many were. */
  tag: string;
  step: number;
  value: number;
  tags: number;
}

/** "NaN from step 3 310". */
export function lostText({ value, step }: Pick<Lost, "value" | "step">): string {
  return say("lost.from", { value: formatValue(value), step: formatStep(step) });
}

/** Which metric, and how many more. */
export function lostTip({ tag, value, step, tags }: Lost): string {
  return say("lost.tip", { tag, value: formatValue(value), step: formatStep(step), more: tags - 1 });
}

/** "1 of 3 (2 NaN)": how many have a value, and how many one that is no number. */
export function someLostText(count: number, lost: number, value = Number.NaN): string {
  return say("lost.some", { count, all: count + lost, lost, value: formatValue(value) });
}
