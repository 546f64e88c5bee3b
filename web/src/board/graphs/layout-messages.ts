/** Messages between the page and the worker that lays out graphs. */

import type { ScopeInput, ScopeLayout } from "./geometry/scope-layout";

export interface ToWorker {
  id: number;
  input: ScopeInput;
}

export type FromWorker =
  | { kind: "done"; id: number; layout: ScopeLayout; tookMs: number; made: number }
  | { kind: "fault"; id: number; message: string };
