/** The dialog for a new job or the clone of a notebook: whether it is open, and what it clones. */

import { create } from "zustand";
import type { Job } from "./jobs";

interface NewJob {
  open: boolean;
  /** Null: a job from nothing. */
  like: Job | null;
  /** Whether that has a TensorBoard, so that the clone gets one too. */
  hasBoard: boolean;
}

const CLOSED: NewJob = { open: false, like: null, hasBoard: false };

export const useNewJob = create<NewJob>()(() => CLOSED);

export const openNewJob = (like: Job | null = null, hasBoard = false) =>
  useNewJob.setState({ open: true, like, hasBoard });
export const closeNewJob = () => useNewJob.setState(CLOSED);
