/** A short notice at the foot of the page about what just happened. */

import { create } from "zustand";
import { ApiError } from "../../api/client";
import { colon } from "../../i18n/format";
import { say, spoken } from "../../i18n/words";

export const useNotice = create<{ notice: { text: string } | null }>()(() => ({ notice: null }));

export function notify(text: string): void {
  useNotice.setState({ notice: { text } });
}

export function dismiss(): void {
  useNotice.setState({ notice: null });
}

/** Codes of the API that have a text in every language: messages of the server are in English. */
const CODES = [
  "TensorboardLimitExceeded",
  "bad_request",
  "conflict",
  "database",
  "invalid",
  "launch_failed",
  "not_found",
  "not_ready",
  "permission_denied",
  "source_not_found",
  "storage",
  "storage_denied",
  "too_many_requests",
  "unauthenticated",
] as const;

/** The message of the server about a failed request, in English, or that it does not respond. */
export function serverMessage(fault: unknown): string {
  if (!(fault instanceof ApiError)) return String(fault);
  if (fault.unreachable) return say("hub.fault.unreachable");
  return [fault.message, fault.hint].filter((part) => part !== "").join(". ");
}

/** The text for an error: in languages other than English the kind of error comes first. */
export function errorText(fault: unknown): string {
  const code = fault instanceof ApiError ? CODES.find((each) => each === fault.code) : undefined;
  if (!code || spoken() === "en") return serverMessage(fault);
  return `${say(`hub.code.${code}`)}${colon()}${serverMessage(fault)}`;
}

export function notifyError(fault: unknown): void {
  notify(say("hub.notice.failed", { why: errorText(fault) }));
}
