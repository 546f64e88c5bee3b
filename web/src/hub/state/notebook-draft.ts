/** A notebook as a draft in the form, and as a request. Pure. */

import type { CreateNotebook } from "../../api/hub/schema.gen";
import { NO_BOARD } from "./board-option";
import { faultsIn, type JobFaults, type SharedDraft, sharedFaultsOf, sharedRequestOf } from "./job-draft";
import { type Pair, pairFault, valuesOf } from "./pairs";

export interface NotebookDraft extends SharedDraft {
  /** Seconds; "0" is never. */
  idle: string;
  labels: readonly Pair[];
}

const IDLE_SECS = 1800;

export const newNotebookDraft = (): NotebookDraft => ({
  name: "",
  project: "",
  image: "",
  preset: "",
  inputs: [],
  environment: [],
  memory: "",
  idle: String(IDLE_SECS),
  maxRun: "",
  labels: [],
  board: NO_BOARD,
});

/** What is wrong with a draft. */
export const notebookFaultsOf = (draft: NotebookDraft): JobFaults => ({
  ...sharedFaultsOf(draft),
  ...faultsIn({ labels: pairFault(draft.labels) }),
});

/** The request for a draft without faults. */
export const notebookRequestOf = (draft: NotebookDraft): CreateNotebook => ({
  ...sharedRequestOf(draft),
  idle_secs: Number(draft.idle),
  labels: valuesOf(draft.labels),
});
