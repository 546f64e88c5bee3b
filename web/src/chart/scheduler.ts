/**
 * Shares the frames of a page among its charts: at most 8 ms of work a frame, what is under the pointer first,
 * then what is in view, then what is near. Work asked for again before it was done is done once, as asked last.
 * What a canvas is told to draw is drawn when the frame ends: that counts too.
 */

export type Priority = "pointer" | "visible" | "near";

/** Does the work; returns how many ms more the browser will need for it at the end of the frame, by estimate. */
export type Work = () => number;

interface Job {
  priority: Priority;
  run: Work;
}

export interface FrameClock {
  now(): number;
  /** Calls back before the next frame. */
  nextFrame(callback: () => void): void;
}

const ORDER: readonly Priority[] = ["pointer", "visible", "near"];
const BUDGET_MS = 8;

export class Scheduler {
  #jobs = new Map<object, Job>();
  #waiting = false;

  constructor(
    private readonly clock: FrameClock,
    private readonly budgetMs = BUDGET_MS,
  ) {}

  /** Do `run` in a coming frame. An earlier request with the same key is dropped. */
  request(key: object, priority: Priority, run: Work): void {
    this.#jobs.set(key, { priority, run });
    this.#wake();
  }

  cancel(key: object): void {
    this.#jobs.delete(key);
  }

  #wake(): void {
    if (this.#waiting || this.#jobs.size === 0) return;
    this.#waiting = true;
    this.clock.nextFrame(() => this.#frame());
  }

  #frame(): void {
    this.#waiting = false;
    const start = this.clock.now();
    let owed = 0;
    for (const [key, job] of this.#sorted()) {
      if (this.#jobs.get(key) !== job) continue;
      this.#jobs.delete(key);
      try {
        owed += job.run();
      } finally {
        this.#wake();
      }
      if (this.clock.now() - start + owed >= this.budgetMs) break;
    }
    this.#wake();
  }

  #sorted(): [object, Job][] {
    return [...this.#jobs].sort(([, a], [, b]) => ORDER.indexOf(a.priority) - ORDER.indexOf(b.priority));
  }
}

/** The one scheduler of the page. */
export const frames = new Scheduler({
  now: () => performance.now(),
  nextFrame: (callback) => requestAnimationFrame(callback),
});
