/** The lengths of time that are offered, in seconds; 0 is without end. */

import { duration } from "../../words/format";
import { say } from "../../words/words";

export const LIFE_SPANS = [3600, 4 * 3600, 86_400, 3 * 86_400, 7 * 86_400, 0] as const;
export const IDLE_SPANS = [1800, 3600, 4 * 3600, 86_400, 0] as const;
export const EXTENSIONS = [3600, 4 * 3600, 86_400, 3 * 86_400, 7 * 86_400] as const;
export const SHARE_SPANS = [3600, 86_400, 3 * 86_400, 7 * 86_400] as const;

/** Choices of a list, with the present one among them. */
export function spanOptions(spans: readonly number[], present?: number): { value: string; label: string }[] {
  const all = present === undefined || spans.includes(present) ? spans : [present, ...spans];
  return all.map((secs) => ({
    value: String(secs),
    label: secs === 0 ? say("hub.span.never") : duration(secs),
  }));
}
