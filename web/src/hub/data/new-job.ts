/** The dialog for a new job or the clone of a notebook: whether it is open, and what it clones. */

import { create } from "zustand";
import type { Job } from "./jobs";

/** `like` null: a job from nothing. */
export const useNewJob = create<{ open: boolean; like: Job | null }>()(() => ({ open: false, like: null }));

export const openNewJob = (like: Job | null = null) => useNewJob.setState({ open: true, like });
export const closeNewJob = () => useNewJob.setState({ open: false, like: null });
