/** The filters of the list: from the address, and as a request. Pure. */

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

export function requestOf(query: URLSearchParams, now: number): string {
  const request = new URLSearchParams();
  const copy = (name: string, value: string | null | undefined) => value && request.set(name, value);
  copy("search", query.get("search")?.trim());
  copy("status", STATUSES[query.get("status") ?? ""]);
  copy("origin", query.get("origin"));
  copy("owner", query.get("owner"));
  copy("project", query.get("project"));
  const span = SPANS[query.get("created") ?? ""];
  if (span) request.set("created_after", String(Math.floor(now / HOUR) * HOUR - span));
  copy("sort", query.get("sort"));
  return request.toString();
}
