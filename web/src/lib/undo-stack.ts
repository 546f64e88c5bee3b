/** The undo stack. It knows nothing about the contents of a step. */

import { create } from "zustand";

export interface UndoStep {
  undo(): void;
  redo(): void;
}

interface UndoStack {
  past: readonly UndoStep[];
  future: readonly UndoStep[];
  /** The last action. Runs hidden by undo or redo need no notice. */
  last: "done" | "undone" | "redone";
}

const MAX_STEPS = 200;

export const useUndoStack = create<UndoStack>()(() => ({ past: [], future: [], last: "done" }));

/** Adds a step that was just done, and drops the steps that could have been redone. */
export function pushUndoStep(step: UndoStep): void {
  const { past } = useUndoStack.getState();
  useUndoStack.setState({ past: [...past.slice(1 - MAX_STEPS), step], future: [], last: "done" });
}

/** The last step; a drag or typing extends it instead of adding one per change. */
export function lastUndoStep(): UndoStep | undefined {
  return useUndoStack.getState().past.at(-1);
}

/** False if there is nothing to undo. */
export function undo(): boolean {
  const { past, future } = useUndoStack.getState();
  const step = past.at(-1);
  if (!step) return false;
  useUndoStack.setState({ past: past.slice(0, -1), future: [step, ...future], last: "undone" });
  step.undo();
  return true;
}

/** False if there is nothing to do again. */
export function redo(): boolean {
  const { past, future } = useUndoStack.getState();
  const step = future[0];
  if (!step) return false;
  useUndoStack.setState({ past: [...past, step], future: future.slice(1), last: "redone" });
  step.redo();
  return true;
}
