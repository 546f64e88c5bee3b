/** The router: the path below the hub's own address, and the query. */

import { useMemo, useSyncExternalStore } from "react";

/** The prefix of every path, without a slash at the end. */
export const PREFIX =
  typeof document === "undefined" ? "" : new URL(document.baseURI).pathname.replace(/\/$/, "");

const MOVED = "hub:moved";

export function address(path: string): string {
  return PREFIX + path;
}

export function currentPath(): string {
  const { pathname } = location;
  return (pathname.startsWith(`${PREFIX}/`) ? pathname.slice(PREFIX.length) : pathname) || "/";
}

/** Navigates to a page (path, query, fragment). With `replace`, Back does not return to the current page. */
export function go(to: string, { replace = false } = {}): void {
  const here = location.pathname + location.search + location.hash;
  if (address(to) !== here) history[replace ? "replaceState" : "pushState"](null, "", address(to));
  dispatchEvent(new Event(MOVED));
}

function onMove(callback: () => void): () => void {
  const names = [MOVED, "popstate", "hashchange"];
  for (const name of names) addEventListener(name, callback);
  return () => {
    for (const name of names) removeEventListener(name, callback);
  };
}

export function usePath(): string {
  return useSyncExternalStore(onMove, currentPath);
}

/** The query, without the parameters for theme, language and tests. */
export function useQuery(): URLSearchParams {
  const search = useSyncExternalStore(onMove, () => location.search);
  return useMemo(() => new URLSearchParams(search), [search]);
}

export function useFragment(): string {
  return useSyncExternalStore(onMove, () => location.hash.slice(1));
}

/** Sets parameters of the query; "" removes one. */
export function putQuery(fields: Record<string, string>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(fields)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  go(currentPath() + (text && `?${text}`) + location.hash, { replace: true });
}
