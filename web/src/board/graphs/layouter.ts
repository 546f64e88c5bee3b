/** Lays out graphs in a worker: one at a time, the last one wanted, and each can be cancelled. */

import { beginWork } from "../../lib/pending-work";
import type { ScopeInput, ScopeLayout } from "./geometry/scope-layout";
import type { FromWorker, ToWorker } from "./layout-messages";

export interface LaidOut {
  layout: ScopeLayout;
  tookMs: number;
  /** The number of scopes that were laid out; others were kept from before. */
  made: number;
}

interface Wanted {
  id: number;
  resolve(laid: LaidOut | null): void;
  reject(fault: Error): void;
  end(): void;
}

export class Layouter {
  #worker: Worker | null = null;
  #wanted: Wanted | null = null;
  #lastId = 0;

  /** Null if it was cancelled, or another layout is wanted since. */
  layOut(input: ScopeInput): Promise<LaidOut | null> {
    this.#settle()?.resolve(null);
    const id = ++this.#lastId;
    const message: ToWorker = { id, input };
    this.#running().postMessage(message);
    return new Promise((resolve, reject) => {
      this.#wanted = { id, resolve, reject, end: beginWork() };
    });
  }

  /** Ends a layout that takes too long, and the worker with it: it cannot be interrupted. */
  cancel(): void {
    const wanted = this.#settle();
    if (!wanted) return;
    this.#worker?.terminate();
    this.#worker = null;
    wanted.resolve(null);
  }

  destroy(): void {
    this.#settle()?.resolve(null);
    this.#worker?.terminate();
    this.#worker = null;
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data);
    worker.onerror = (event) => {
      this.#worker = null;
      worker.terminate();
      this.#settle()?.reject(new Error(event.message || "the layout failed"));
    };
    this.#worker = worker;
    return worker;
  }

  #hear(message: FromWorker): void {
    if (message.id !== this.#wanted?.id) return;
    const wanted = this.#settle()!;
    if (message.kind === "fault") wanted.reject(new Error(message.message));
    else wanted.resolve(message);
  }

  #settle(): Wanted | null {
    const wanted = this.#wanted;
    this.#wanted = null;
    wanted?.end();
    return wanted;
  }
}
