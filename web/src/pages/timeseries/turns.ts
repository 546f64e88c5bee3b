/** Building cards by turns: what is in view at once, what lies outside it a row a frame, so that no frame is long. */

import { type Key, useEffect, useReducer, useRef } from "react";

export interface Turn {
  key: Key;
  /** Outside the window: it can wait. */
  near: boolean;
}

/** Says which of the rows are to be built by now. A row once built stays so while it is listed. */
export function useTurns(rows: readonly Turn[]): (key: Key) => boolean {
  const [, next] = useReducer((turn: number) => turn + 1, 0);
  const built = useRef<ReadonlySet<Key> | null>(null);
  const now = takeTurn(rows, built.current);
  const waiting = rows.some(({ key }) => !now.has(key));
  useEffect(() => {
    built.current = now;
    if (!waiting) return;
    const frame = requestAnimationFrame(next);
    return () => cancelAnimationFrame(frame);
  });
  return (key) => now.has(key);
}

/** Rows built after this turn; `before` is null at the very first, which is for what is in view alone. */
export function takeTurn(rows: readonly Turn[], before: ReadonlySet<Key> | null): ReadonlySet<Key> {
  const now = new Set<Key>();
  let turns = before === null ? 0 : 1;
  for (const { key, near } of rows) {
    if (!near || before?.has(key)) now.add(key);
    else if (turns > 0) {
      turns -= 1;
      now.add(key);
    }
  }
  return now;
}
