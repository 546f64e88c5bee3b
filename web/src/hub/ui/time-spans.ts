/** The available durations, in seconds; 0 means unlimited. */

import { duration } from "../../i18n/format";
import { say } from "../../i18n/words";

export const LIFE_SPANS = [3600, 4 * 3600, 86_400, 3 * 86_400, 7 * 86_400, 0] as const;
export const IDLE_SPANS = [1800, 3600, 4 * 3600, 86_400, 0] as const;
export const EXTENSIONS = [3600, 4 * 3600, 86_400, 3 * 86_400, 7 * 86_400] as const;
export const SHARE_SPANS = [3600, 86_400, 3 * 86_400, 7 * 86_400] as const;

/** Options for a select, including the current value; unlimited ones only if permitted. */
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
