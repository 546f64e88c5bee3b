/**
 * Work that a page has under way and that will change what it shows: requests, and what is put off until later.
 * `<html data-pending>` says how many there are while there are any: whoever drives the page waits until it is gone.
 */

let pending = 0;

/** Counts a piece of work until the returned function is called; further calls of that do nothing. */
export function beginWork(): () => void {
  show(1);
  let under = true;
  return () => {
    if (under) show(-1);
    under = false;
  };
}

/** Counts a promise until it settles. */
export function trackWork<Result>(work: Promise<Result>): Promise<Result> {
  const end = beginWork();
  work.then(end, end);
  return work;
}

function show(change: number): void {
  pending += change;
  if (typeof document === "undefined") return;
  const root = document.documentElement;
  if (pending > 0) root.dataset.pending = String(pending);
  else delete root.dataset.pending;
}
