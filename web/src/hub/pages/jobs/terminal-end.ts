/** How a shell ends, and why there is none. */

import type { JobCapabilities, JobDetail } from "../../../api/hub-schema.gen";
import { hasEnded } from "../../data/jobs";
import type { CommandStatus } from "./terminal-channels";

export type TerminalEnd =
  | { kind: "exited"; code: number }
  | { kind: "killed"; signal: number }
  | { kind: "jobEnded" | "accessEnded" | "loginEnded" | "tooMany" | "lost" }
  | { kind: "refused"; why: string };

/** Codes of WebSockets: the hub closes with 4000 plus the status of an error before the shell runs. */
const POLICY_VIOLATION = 1008;
const REFUSED = 4000;
const BY_STATUS: Record<number, TerminalEnd> = {
  401: { kind: "loginEnded" },
  403: { kind: "accessEnded" },
  404: { kind: "accessEnded" },
  409: { kind: "jobEnded" },
  429: { kind: "tooMany" },
};

/** From the last message of the hub, null if there was none, and the end of the WebSocket. */
export function endOf(status: CommandStatus | null, code: number, reason: string): TerminalEnd {
  if (status?.message) return { kind: "jobEnded" };
  if (status && status.signal !== null) return { kind: "killed", signal: status.signal };
  if (status) return { kind: "exited", code: status.exit_code ?? 0 };
  if (code === POLICY_VIOLATION) return { kind: "accessEnded" };
  if (code > REFUSED) return BY_STATUS[code - REFUSED] ?? { kind: "refused", why: reason };
  return { kind: "lost" };
}

export type Obstacle = "onlyOwner" | "notPermitted" | "unsupported" | "ended" | "waits";

/** Why an account cannot open a terminal in a job, where jobs are capable of so much; null if it can. */
export function obstacleOf(
  job: Pick<JobDetail, "owner" | "rights" | "status">,
  account: string,
  able: Pick<JobCapabilities, "commands">,
): Obstacle | null {
  if (job.owner !== account) return "onlyOwner";
  if (!job.rights.includes("jobs.exec")) return "notPermitted";
  if (!able.commands) return "unsupported";
  if (job.status === "Running") return null;
  const over = hasEnded(job) || ["Stopping", "Deleting", "Deleted"].includes(job.status);
  return over ? "ended" : "waits";
}
