/** What to say of log files whose changes are not announced by the system but looked for. */

import { useStatus } from "../state/lists";
import { useWords } from "../words/words";

/** How often files are looked at and why, or null where each change is seen at once. */
export function useFilesNote(): string | null {
  const say = useWords();
  const status = useStatus().data;
  // Without a reason the watch is only about to begin.
  if (!status || status.loading || status.live === "watch" || status.live_reason === "") return null;
  if (status.live === "once") return say("live.filesOnce");
  return `${say("live.filesPolled", { secs: status.reload_secs })}: ${status.live_reason}`;
}
