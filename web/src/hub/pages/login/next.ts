/** Where one wanted to go before the login came between: only ever a path of this very server. */

import { address, go, PREFIX } from "../../state/route";

/** "" for anything that is not. */
export function safeNext(next: string | null): string {
  if (!next || !/^\/(?![/\\])/.test(next)) return "";
  try {
    const there = new URL(next, "http://here.invalid");
    return there.host === "here.invalid" ? there.pathname + there.search + there.hash : "";
  } catch {
    return "";
  }
}

/** Boards are other pages; the console's own are changed in place. */
export function arrive(next: string): void {
  const path = PREFIX && next.startsWith(`${PREFIX}/`) ? next.slice(PREFIX.length) : next;
  if (path.startsWith("/tb/") || path.startsWith("/api/")) location.assign(address(path));
  else go(path || "/", { replace: true });
}
