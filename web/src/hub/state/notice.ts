/** A word about what just happened, at the foot of the page for a few seconds. */

import { create } from "zustand";
import { ApiError } from "../../api/client";
import { say } from "../../words/words";

export const useNotice = create<{ notice: { text: string } | null }>()(() => ({ notice: null }));

export function notify(text: string): void {
  useNotice.setState({ notice: { text } });
}

export function dismiss(): void {
  useNotice.setState({ notice: null });
}

/** Why something was not done, in the server's words and ours. */
export function faultText(fault: unknown): string {
  if (fault instanceof ApiError && fault.unreachable) return say("hub.fault.unreachable");
  if (!(fault instanceof ApiError)) return String(fault);
  return [fault.message, fault.hint].filter((part) => part !== "").join(". ");
}

export function notifyFault(fault: unknown): void {
  notify(say("hub.notice.failed", { why: faultText(fault) }));
}
