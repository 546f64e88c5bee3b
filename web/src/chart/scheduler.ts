/**
 * Shares the frames of a page among its charts: at most 8 ms of work per frame, first the chart under the pointer,
 * then those in view, then those nearby. A new request for pending work replaces it. Canvas commands are rasterized
 * when the frame ends, which counts too.
 */

export type Priority = "pointer" | "visible" | "near";

/** Does the work; returns the estimated ms that the browser will need at the end of the frame. */
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

  /** Runs `run` in a coming frame. An earlier request with the same key is dropped. */
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

/** The scheduler of the page. */
export const frames = new Scheduler({
  now: () => performance.now(),
  nextFrame: (callback) => requestAnimationFrame(callback),
});
