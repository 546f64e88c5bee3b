/** The status of a TensorBoard: icon, label and colour; the reason in a line below. */

import type { ReactNode } from "react";
import { useWords, type WordId } from "../../words/words";
import type { Board, Status } from "../state/tensorboards";
import style from "./status-pill.module.css";

type PillStyle = "running" | "moving" | "resting" | "failed";

const PILL_STYLES: Record<Status, PillStyle> = {
  Pending: "moving",
  Creating: "moving",
  Running: "running",
  Creating_Failed: "failed",
  Stopping: "moving",
  Stopped: "resting",
  Deleting: "moving",
  Deleted: "resting",
  Failed: "failed",
};

const SIGNS: Record<PillStyle, ReactNode> = {
  running: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  moving: (
    <>
      <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M6 2a4 4 0 0 1 0 8Z" fill="currentColor" />
    </>
  ),
  resting: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  failed: <path d="M6 1.2 11.2 10.6H.8Z" fill="currentColor" />,
};

export function StatusPill({ status }: { status: Status }) {
  const say = useWords();
  const pillStyle = PILL_STYLES[status];
  return (
    <span className={`${style.pill} ${style[pillStyle]}`} data-testid="status" data-status={status}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" focusable="false">
        {SIGNS[pillStyle]}
      </svg>
      {say(`hub.status.${status}`)}
    </span>
  );
}

const REASONS = [
  ...[
    "UserRequested",
    "LifeSpanEnded",
    "IdleTimeout",
    "QuotaExhausted",
    "SourceDeleted",
    "Creating",
    "Restarted",
    "Extended",
    "Shortened",
  ],
  ...[
    "Restarting",
    "Scheduling",
    "ProcessStarting",
    "Ready",
    "SourceNotFound",
    "AccessDenied",
    "Unreachable",
  ],
  ...["StartTimeout", "ScheduleTimeout", "Error", "OOMKilled", "NodeLost", "Invalid"],
] as const;
type Known = (typeof REASONS)[number];

/** A reason in the user's language; unknown ones unchanged. */
export function useReason(): (reason: string) => string {
  const say = useWords();
  return (reason) =>
    (REASONS as readonly string[]).includes(reason)
      ? say(`hub.reason.${reason as Known}` satisfies WordId)
      : reason;
}

/** The text of the second line, "" if the status says enough. */
export function reasonOf(board: Pick<Board, "status" | "reason">): string {
  return board.status === "Running" ? "" : board.reason;
}
