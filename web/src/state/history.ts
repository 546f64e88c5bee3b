/** What was done, so that it can be undone and done again. Knows nothing of what a step is about. */

import { create } from "zustand";

export interface Step {
  undo(): void;
  redo(): void;
}

interface History {
  past: readonly Step[];
  future: readonly Step[];
  /** What came last. A loss somebody asked for by undoing needs no comment. */
  last: "done" | "undone" | "redone";
}

const MOST_STEPS = 200;

export const useHistory = create<History>()(() => ({ past: [], future: [], last: "done" }));

/** Keeps a step that was just done. What had been undone before it cannot be done again. */
export function record(step: Step): void {
  const { past } = useHistory.getState();
  useHistory.setState({ past: [...past.slice(1 - MOST_STEPS), step], future: [], last: "done" });
}

/** The step done last; a drag or a typed word grows it instead of making one a letter. */
export function lastStep(): Step | undefined {
  return useHistory.getState().past.at(-1);
}

/** False if there is nothing to undo. */
export function undo(): boolean {
  const { past, future } = useHistory.getState();
  const step = past.at(-1);
  if (!step) return false;
  useHistory.setState({ past: past.slice(0, -1), future: [step, ...future], last: "undone" });
  step.undo();
  return true;
}

/** False if there is nothing to do again. */
export function redo(): boolean {
  const { past, future } = useHistory.getState();
  const step = future[0];
  if (!step) return false;
  useHistory.setState({ past: [...past, step], future: future.slice(1), last: "redone" });
  step.redo();
  return true;
}
