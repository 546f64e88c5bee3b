/** What the list is narrowed to, as the address says it, and as the server is asked. Pure. */

export const FILTERS = ["search", "status", "origin", "owner", "project", "created"] as const;

const SPANS: Record<string, number> = { day: 86_400, week: 7 * 86_400, month: 30 * 86_400 };
/** The present is taken by the hour: an address is one question, not one for each moment. */
const HOUR = 3600;

/** Several statuses that people take for one. */
const STATUSES: Record<string, string> = {
  running: "Running",
  starting: "Pending,Creating",
  stopped: "Stopping,Stopped",
  failed: "Failed,Creating_Failed",
};

export function questionOf(query: URLSearchParams, now: number): string {
  const asked = new URLSearchParams();
  const copy = (name: string, value: string | null | undefined) => value && asked.set(name, value);
  copy("search", query.get("search")?.trim());
  copy("status", STATUSES[query.get("status") ?? ""]);
  copy("origin", query.get("origin"));
  copy("owner", query.get("owner"));
  copy("project", query.get("project"));
  const span = SPANS[query.get("created") ?? ""];
  if (span) asked.set("created_after", String(Math.floor(now / HOUR) * HOUR - span));
  copy("sort", query.get("sort"));
  return asked.toString();
}
