/** Exports in progress: how far each is, and how to cancel it. Knows nothing of their contents. */

import { create } from "zustand";
import { isAbort } from "../../api/client";
import { notify } from "../view/notice";

export interface RunningExport {
  id: number;
  /** The name of the file. */
  name: string;
  done: number;
  /** 0 while unknown. */
  total: number;
  cancel(): void;
}

export interface Progress {
  signal: AbortSignal;
  report(done: number, total: number): void;
}

export const useExports = create<{ exports: readonly RunningExport[] }>()(() => ({ exports: [] }));

let lastId = 0;

/** Runs an export in the background. A failure is shown as a notice. */
export async function runExport(name: string, work: (progress: Progress) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const id = ++lastId;
  setRunning([...running(), { id, name, done: 0, total: 0, cancel: () => stop.abort() }]);
  const report = (done: number, total: number) =>
    setRunning(running().map((each) => (each.id === id ? { ...each, done, total } : each)));
  try {
    await work({ signal: stop.signal, report });
  } catch (fault) {
    if (!isAbort(fault))
      notify("take.failed", { name, why: fault instanceof Error ? fault.message : String(fault) });
  } finally {
    setRunning(running().filter((each) => each.id !== id));
  }
}

function running(): readonly RunningExport[] {
  return useExports.getState().exports;
}

function setRunning(exports: readonly RunningExport[]): void {
  useExports.setState({ exports });
}
