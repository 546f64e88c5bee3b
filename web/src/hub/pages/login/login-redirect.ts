/** Where to go after the login: only ever a path of this server. */

import { address, go, PREFIX } from "../../data/route";

/** The path if it is safe, otherwise "". */
export function safeRedirect(next: string | null): string {
  if (!next || !/^\/(?![/\\])/.test(next)) return "";
  try {
    const there = new URL(next, "http://here.invalid");
    return there.host === "here.invalid" ? there.pathname + there.search + there.hash : "";
  } catch {
    return "";
  }
}

/** Boards are separate pages; pages of the console are changed in place. */
export function redirectTo(next: string): void {
  const path = PREFIX && next.startsWith(`${PREFIX}/`) ? next.slice(PREFIX.length) : next;
  if (path.startsWith("/tb/") || path.startsWith("/api/")) location.assign(address(path));
  else go(path || "/", { replace: true });
}
