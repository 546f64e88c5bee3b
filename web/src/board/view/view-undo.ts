/**
 * Records changes of the view for undo. Dragging and typing make many small changes: consecutive ones are one step.
 * It knows neither the store nor the address.
 */

import type { UndoStep } from "../../lib/undo-stack";
import type { View } from "./view-state";

type Patch = Partial<View>;

/** Fields that change continuously, by dragging or typing. */
const CONTINUOUS_FIELDS: readonly (keyof View)[] = [
  "smoothing",
  "tagFilter",
  "runFilter",
  "zoom",
  "boxes",
  "mesh",
  "range",
  "pin",
];
/** A pause this long ends a series of changes. */
const PAUSE_MS = 1000;

class ViewStep implements UndoStep {
  before: Patch;
  after: Patch;
  readonly #restore: (patch: Patch) => void;

  constructor(before: Patch, after: Patch, restore: (patch: Patch) => void) {
    this.before = before;
    this.after = after;
    this.#restore = restore;
  }

  undo(): void {
    this.#restore(this.before);
  }

  redo(): void {
    this.#restore(this.after);
  }
}

export class ViewUndoRecorder {
  readonly #record: (step: UndoStep) => void;
  readonly #restore: (patch: Patch) => void;
  readonly #now: () => number;
  /** The current series of changes. */
  #open: ViewStep | null = null;
  #openUntil = 0;

  /** `record` stores a new step, `restore` sets fields back. */
  constructor(
    record: (step: UndoStep) => void,
    restore: (patch: Patch) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#record = record;
    this.#restore = (patch) => {
      this.#open = null;
      restore(patch);
    };
    this.#now = now;
  }

  /** Call before a small change of `view`. */
  recordChange(view: View, patch: Patch): void {
    const keys = changedFields(view, patch);
    if (keys.length === 0) return;
    const flowing = keys.every((key) => CONTINUOUS_FIELDS.includes(key));
    if (flowing && this.#continues(keys)) this.#grow(view, patch, keys);
    else this.#open = this.#add(view, patch, keys);
    if (!flowing) this.#open = null;
    this.#openUntil = this.#now() + PAUSE_MS;
  }

  /** Call before a change that is a step of its own; it ends the current series of changes. */
  recordCommit(view: View, patch: Patch): void {
    const keys = changedFields(view, patch);
    if (this.#open && this.#sharesField(Object.keys(patch) as (keyof View)[])) this.#grow(view, patch, keys);
    else if (keys.length > 0) this.#add(view, patch, keys);
    this.#open = null;
  }

  #continues(keys: readonly (keyof View)[]): boolean {
    return this.#open !== null && this.#now() < this.#openUntil && this.#sharesField(keys);
  }

  #sharesField(keys: readonly (keyof View)[]): boolean {
    return this.#open !== null && keys.some((key) => key in this.#open!.after);
  }

  #add(view: View, patch: Patch, keys: readonly (keyof View)[]): ViewStep {
    const step = new ViewStep(picked(view, keys), picked(patch, keys), this.#restore);
    this.#record(step);
    return step;
  }

  #grow(view: View, patch: Patch, keys: readonly (keyof View)[]): void {
    const step = this.#open!;
    step.before = { ...picked(view, keys), ...step.before };
    step.after = { ...step.after, ...picked(patch, keys) };
  }
}

/** The fields of `patch` that differ from `view`. Views are plain data. */
function changedFields(view: View, patch: Patch): (keyof View)[] {
  const keys = Object.keys(patch) as (keyof View)[];
  return keys.filter((key) => JSON.stringify(view[key]) !== JSON.stringify(patch[key]));
}

function picked(from: Patch, keys: readonly (keyof View)[]): Patch {
  return Object.fromEntries(keys.map((key) => [key, from[key]]));
}
