/** Clocks for countdowns, shared by the whole page. */

import { useSyncExternalStore } from "react";

class Clock {
  #ticks = 0;
  #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(readonly everyMs: number) {}

  readonly ticks = (): number => this.#ticks;

  readonly subscribe = (callback: () => void): (() => void) => {
    this.#listeners.add(callback);
    this.#timer ??= setInterval(() => {
      this.#ticks++;
      for (const each of this.#listeners) each();
    }, this.everyMs);
    return () => {
      this.#listeners.delete(callback);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  };
}

/** For ages and times left. */
const CALM = new Clock(5000);
const SECONDS = new Clock(1000);

function useClock(clock: Clock): number {
  useSyncExternalStore(clock.subscribe, clock.ticks);
  return Date.now() / 1000;
}

/** Seconds since the epoch, updated every few seconds. */
export const useNow = () => useClock(CALM);

/** As `useNow`, updated every second. */
export const useSecond = () => useClock(SECONDS);
