/** A notebook as a draft in the form, and as a request. Pure. */

import type { CreateNotebook, JobResponse } from "../../api/hub-schema.gen";
import { NO_BOARD } from "./board-option";
import {
  customTitle,
  faultsIn,
  type JobFaults,
  type SharedDraft,
  sharedCloneOf,
  sharedFaultsOf,
  sharedRequestOf,
} from "./job-draft";
import { newPair, type Pair, pairFault, valuesOf } from "./pairs";

export interface NotebookDraft extends SharedDraft {
  /** Seconds; "0" is never. */
  idle: string;
  labels: readonly Pair[];
  /** Settings without a field, which a clone keeps. */
  others: Pick<CreateNotebook, "display_name" | "priority" | "queue_timeout_secs" | "tags">;
}

const IDLE_SECS = 1800;

export const newNotebookDraft = (): NotebookDraft => ({
  name: "",
  project: "",
  image: "",
  preset: "",
  inputs: [],
  volumes: [],
  environment: [],
  memory: "",
  idle: String(IDLE_SECS),
  maxRun: "",
  labels: [],
  board: NO_BOARD,
  others: {},
});

/** A draft of another notebook like this one, as `cloneOf`. */
export const notebookCloneOf = (notebook: JobResponse, hasBoard = false): NotebookDraft => ({
  ...sharedCloneOf(notebook, hasBoard),
  idle: String(notebook.idle_secs),
  labels: Object.entries(notebook.labels).map(([name, value]) => newPair(name, value)),
  others: {
    display_name: customTitle(notebook, "notebook"),
    priority: notebook.priority,
    queue_timeout_secs: notebook.queue_timeout_secs,
    tags: notebook.tags,
  },
});

/** What is wrong with a draft. */
export const notebookFaultsOf = (draft: NotebookDraft): JobFaults => ({
  ...sharedFaultsOf(draft),
  ...faultsIn({ labels: pairFault(draft.labels) }),
});

/** The request for a draft without faults. */
export const notebookRequestOf = (draft: NotebookDraft): CreateNotebook => ({
  ...draft.others,
  ...sharedRequestOf(draft),
  idle_secs: Number(draft.idle),
  labels: valuesOf(draft.labels),
});
