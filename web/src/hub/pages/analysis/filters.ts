/** The filters of the lists: from the address, and as a request. Pure. */

import type { JobKind } from "../../data/jobs";
import { requestedMetrics } from "../../data/metrics";

export const FILTERS = ["search", "status", "origin", "owner", "project", "created"] as const;

const SPANS: Record<string, number> = { day: 86_400, week: 7 * 86_400, month: 30 * 86_400 };
/** The current time is rounded to the hour, so that an address is one request instead of one per moment. */
const HOUR = 3600;

/** Statuses that are filtered as one. */
const STATUSES: Record<string, string> = {
  running: "Running",
  starting: "Pending,Creating",
  stopped: "Stopping,Stopped",
  failed: "Failed,Creating_Failed",
};

/** Filters whose values the server knows. */
const BOARD_FIELDS = ["origin", "owner", "project", "sort"] as const;

export function requestOf(query: URLSearchParams, now: number): string {
  const request = requestFor(query, STATUSES, BOARD_FIELDS);
  const span = SPANS[query.get("created") ?? ""];
  if (span) request.set("created_after", String(Math.floor(now / HOUR) * HOUR - span));
  return request.toString();
}

export const JOB_FILTERS = ["search", "status", "owner", "project"] as const;

const JOB_STATUSES: Record<string, string> = {
  active: "Queued,Starting,Running,Restarting,Pausing,Paused,Stopping",
  succeeded: "Succeeded",
  failed: "Failed",
  stopped: "Stopped",
};

export function jobRequestOf(kind: JobKind, query: URLSearchParams): string {
  const request = requestFor(query, JOB_STATUSES, ["owner", "project", "sort"]);
  if (kind === "job") request.set("metrics", requestedMetrics(query));
  else request.set("kind", kind);
  return request.toString();
}

function requestFor(
  query: URLSearchParams,
  statuses: Record<string, string>,
  fields: readonly string[],
): URLSearchParams {
  const request = new URLSearchParams();
  const copy = (name: string, value: string | null | undefined) => value && request.set(name, value);
  copy("search", query.get("search")?.trim());
  copy("status", statuses[query.get("status") ?? ""]);
  for (const name of fields) copy(name, query.get(name));
  return request;
}
