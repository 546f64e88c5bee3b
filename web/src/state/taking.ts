/** What is being made to take away: how far it is, and how to stop it. Knows nothing of what is made. */

import { create } from "zustand";
import { isAbort } from "../api/client";
import { notify } from "./notice";

export interface Taking {
  id: number;
  /** What the file will be called. */
  name: string;
  done: number;
  /** 0 while nobody knows. */
  total: number;
  cancel(): void;
}

export interface Progress {
  signal: AbortSignal;
  tell(done: number, total: number): void;
}

export const useTakings = create<{ takings: readonly Taking[] }>()(() => ({ takings: [] }));

let lastId = 0;

/** Does the work while the page goes on; what goes wrong is said at its foot. */
export async function take(name: string, work: (progress: Progress) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const id = ++lastId;
  put([...taken(), { id, name, done: 0, total: 0, cancel: () => stop.abort() }]);
  const tell = (done: number, total: number) =>
    put(taken().map((taking) => (taking.id === id ? { ...taking, done, total } : taking)));
  try {
    await work({ signal: stop.signal, tell });
  } catch (fault) {
    if (!isAbort(fault))
      notify("take.failed", { name, why: fault instanceof Error ? fault.message : String(fault) });
  } finally {
    put(taken().filter((taking) => taking.id !== id));
  }
}

function taken(): readonly Taking[] {
  return useTakings.getState().takings;
}

function put(takings: readonly Taking[]): void {
  useTakings.setState({ takings });
}
