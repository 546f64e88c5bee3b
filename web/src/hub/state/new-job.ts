/** The dialog for a new job: whether it is open, and which job it clones. */

import { create } from "zustand";
import type { Job } from "./jobs";

/** `like` null: a job from nothing. */
export const useNewJob = create<{ open: boolean; like: Job | null }>()(() => ({ open: false, like: null }));

export const openNewJob = (like: Job | null = null) => useNewJob.setState({ open: true, like });
export const closeNewJob = () => useNewJob.setState({ open: false, like: null });
