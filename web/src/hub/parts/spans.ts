/** The lengths of time that are offered, in seconds; 0 is without end. */

import { duration } from "../../words/format";
import { say } from "../../words/words";

export const LIFE_SPANS = [3600, 4 * 3600, 86_400, 3 * 86_400, 7 * 86_400, 0] as const;
export const IDLE_SPANS = [1800, 3600, 4 * 3600, 86_400, 0] as const;
export const EXTENSIONS = [3600, 4 * 3600, 86_400, 3 * 86_400, 7 * 86_400] as const;
export const SHARE_SPANS = [3600, 86_400, 3 * 86_400, 7 * 86_400] as const;

/** Choices of a list, with the present one among them; those without end only where they are permitted. */
export function spanOptions(
  spans: readonly number[],
  present?: number,
  endless = true,
): { value: string; label: string }[] {
  const offered = endless ? spans : spans.filter((secs) => secs > 0);
  const all = present === undefined || offered.includes(present) ? offered : [present, ...offered];
  return all.map((secs) => ({
    value: String(secs),
    label: secs === 0 ? say("hub.span.never") : duration(secs),
  }));
}
