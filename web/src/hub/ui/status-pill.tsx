/** The status of a TensorBoard or a job: icon, label and colour; the reason in a line below. */

import type { ReactNode } from "react";
import { useWords, type WordId } from "../../i18n/words";
import type { ImageState } from "../data/images";
import type { Job, JobStatus } from "../data/jobs";
import type { Board, Status } from "../data/tensorboards";
import style from "./status-pill.module.css";

type PillStyle = "running" | "moving" | "waiting" | "paused" | "done" | "resting" | "failed";

const PILL_STYLES: Record<Status | JobStatus, PillStyle> = {
  Queued: "waiting",
  Pending: "moving",
  Creating: "moving",
  Starting: "moving",
  Running: "running",
  Restarting: "moving",
  Pausing: "moving",
  Paused: "paused",
  Stopping: "moving",
  Deleting: "moving",
  Succeeded: "done",
  Creating_Failed: "failed",
  Failed: "failed",
  Stopped: "resting",
  Deleted: "resting",
};

const FULL = <circle cx="6" cy="6" r="4.5" fill="currentColor" />;
const RING = <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" />;

const SIGNS: Record<PillStyle, ReactNode> = {
  running: FULL,
  moving: (
    <>
      {RING}
      <path d="M6 2a4 4 0 0 1 0 8Z" fill="currentColor" />
    </>
  ),
  waiting: (
    <path
      d="M6 1.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM6 3.6V6l1.6 1.3"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeLinecap="round"
    />
  ),
  paused: (
    <path d="M4 2.2v7.6M8 2.2v7.6" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
  ),
  done: (
    <path
      d="M1.8 6.4 4.6 9.2 10.2 3"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
  resting: RING,
  failed: <path d="M6 1.2 11.2 10.6H.8Z" fill="currentColor" />,
};

export function StatusPill({ status }: { status: Status }) {
  const say = useWords();
  return <Pill status={status} pillStyle={PILL_STYLES[status]} label={say(`hub.status.${status}`)} />;
}

export function JobStatusPill({ status }: { status: JobStatus }) {
  const say = useWords();
  return <Pill status={status} pillStyle={PILL_STYLES[status]} label={say(`hub.jobStatus.${status}`)} />;
}

const IMAGE_STYLES: Record<ImageState, PillStyle> = { building: "moving", ready: "done", failed: "failed" };

export function ImageStatePill({ state }: { state: ImageState }) {
  const say = useWords();
  return <Pill status={state} pillStyle={IMAGE_STYLES[state]} label={say(`hub.imageState.${state}`)} />;
}

function Pill({ status, pillStyle, label }: { status: string; pillStyle: PillStyle; label: string }) {
  return (
    <span className={`${style.pill} ${style[pillStyle]}`} data-testid="status" data-status={status}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" focusable="false">
        {SIGNS[pillStyle]}
      </svg>
      {label}
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
    "Resumed",
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
  ...["StartTimeout", "ScheduleTimeout", "Error", "OOMKilled", "NodeLost", "ClusterLost", "Invalid"],
  ...["Completed", "MaxRunTimeEnded", "AccountDisabled", "ContainerCannotRun", "ShutDown", "Stopped"],
  ...["JobsUnavailable", "JobsNotTrusted", "JobsNotPermitted", "RunnerUnauthorized"],
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

/** How the command of a job ended, unless by itself and well; "" if it has not. */
export function useResult(): (job: Pick<Job, "exit_code" | "signal">) => string {
  const say = useWords();
  return ({ exit_code: code, signal }) =>
    signal !== null ? say("hub.job.signal", { signal }) : code ? say("hub.job.exitCode", { code }) : "";
}

/** Why a job waits or has not succeeded, "" if its status or message says enough. */
export function useJobReason(): (job: Job) => string {
  const reason = useReason();
  const result = useResult();
  const say = useWords();
  return (job) => {
    switch (job.status) {
      case "Queued":
        if (job.message) return ""; // it says what is missing
        return job.preset
          ? say("hub.job.waitsForResources")
          : say("hub.job.waits", { replicas: job.replicas });
      case "Failed":
      case "Restarting":
      case "Stopped":
        // The command's own failure is told by how it ended.
        return (job.reason === "Error" && result(job)) || reason(job.reason);
      default:
        return "";
    }
  };
}
