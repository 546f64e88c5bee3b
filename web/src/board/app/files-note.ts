/** A note about log files that are polled because the system does not announce changes. */

import { useWords } from "../../i18n/words";
import { useStatus } from "../data/lists";

/** How often files are polled and why; null if changes are reported at once. */
export function useFilesNote(): string | null {
  const say = useWords();
  const status = useStatus().data;
  // Without a reason, watching is just starting.
  if (!status || status.loading || status.live === "watch" || status.live_reason === "") return null;
  if (status.live === "once") return say("live.filesOnce");
  return `${say("live.filesPolled", { secs: status.reload_secs })}: ${status.live_reason}`;
}
