/** A clock for countdowns, shared by the whole page. */

import { useSyncExternalStore } from "react";

const EVERY_MS = 5000;
let tick = 0;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(callback: () => void): () => void {
  listeners.add(callback);
  timer ??= setInterval(() => {
    tick++;
    for (const each of listeners) each();
  }, EVERY_MS);
  return () => {
    listeners.delete(callback);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Seconds since the epoch, updated every few seconds. */
export function useNow(): number {
  useSyncExternalStore(subscribe, () => tick);
  return Date.now() / 1000;
}
