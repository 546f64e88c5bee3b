/** Schedules mounting rows: those in view at once, the others one per frame, so that no frame is long. */

import { type Key, useEffect, useReducer, useRef } from "react";

export interface ScheduledRow {
  key: Key;
  /** Outside the window, so it can wait. */
  near: boolean;
}

/** Returns whether a row may be mounted. Once mounted, a row stays so while it is listed. */
export function useScheduledRows(rows: readonly ScheduledRow[]): (key: Key) => boolean {
  const [, next] = useReducer((frame: number) => frame + 1, 0);
  const built = useRef<ReadonlySet<Key> | null>(null);
  const now = rowsToBuild(rows, built.current);
  const waiting = rows.some(({ key }) => !now.has(key));
  useEffect(() => {
    built.current = now;
    if (!waiting) return;
    const frame = requestAnimationFrame(next);
    return () => cancelAnimationFrame(frame);
  });
  return (key) => now.has(key);
}

/** The rows mounted after this turn; `before` is null the first time, for rows in view only. */
export function rowsToBuild(
  rows: readonly ScheduledRow[],
  before: ReadonlySet<Key> | null,
): ReadonlySet<Key> {
  const now = new Set<Key>();
  let free = before === null ? 0 : 1;
  for (const { key, near } of rows) {
    if (!near || before?.has(key)) now.add(key);
    else if (free > 0) {
      free -= 1;
      now.add(key);
    }
  }
  return now;
}
