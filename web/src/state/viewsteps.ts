/**
 * Changes of the view as steps that can be undone. What is dragged or typed comes as many small changes: those in a
 * row are one step. Knows neither the store nor the address.
 */

import type { Step } from "./history";
import type { View } from "./viewstate";

type Patch = Partial<View>;

/** Fields that are dragged or typed. */
const FLOWING: readonly (keyof View)[] = [
  "smoothing",
  "tagFilter",
  "runFilter",
  "zoom",
  "boxes",
  "mesh",
  "range",
  "pin",
];
/** A pause this long ends a row of changes. */
const PAUSE_MS = 1000;

class ViewStep implements Step {
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

export class ViewSteps {
  readonly #record: (step: Step) => void;
  readonly #restore: (patch: Patch) => void;
  readonly #now: () => number;
  /** The row of changes under way. */
  #open: ViewStep | null = null;
  #openUntil = 0;

  /** `record` keeps a new step, `restore` puts fields back. */
  constructor(
    record: (step: Step) => void,
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

  /** A small change of `view`, about to be made. */
  changed(view: View, patch: Patch): void {
    const keys = differing(view, patch);
    if (keys.length === 0) return;
    const flowing = keys.every((key) => FLOWING.includes(key));
    if (flowing && this.#continues(keys)) this.#grow(view, patch, keys);
    else this.#open = this.#add(view, patch, keys);
    if (!flowing) this.#open = null;
    this.#openUntil = this.#now() + PAUSE_MS;
  }

  /** A whole step, about to be made; it ends the row of changes that led to it. */
  committed(view: View, patch: Patch): void {
    const keys = differing(view, patch);
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

/** Fields of `patch` that say something else than `view`. Views are plain data. */
function differing(view: View, patch: Patch): (keyof View)[] {
  const keys = Object.keys(patch) as (keyof View)[];
  return keys.filter((key) => JSON.stringify(view[key]) !== JSON.stringify(patch[key]));
}

function picked(from: Patch, keys: readonly (keyof View)[]): Patch {
  return Object.fromEntries(keys.map((key) => [key, from[key]]));
}
