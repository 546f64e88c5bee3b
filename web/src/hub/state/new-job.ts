/** The dialog for a new job: whether it is open, which job it clones, and what was typed when it was closed. */

import { create } from "zustand";
import type { JobDraft } from "./job-draft";
import type { Job } from "./jobs";
import { queries } from "./queries";

/** `like` null: a job from nothing. */
export const useNewJob = create<{ open: boolean; like: Job | null }>()(() => ({ open: false, like: null }));

export const openNewJob = (like: Job | null = null) => useNewJob.setState({ open: true, like });
export const closeNewJob = () => useNewJob.setState({ open: false, like: null });

/** In the cache of queries, which is cleared when another account logs in. */
const DRAFT = ["job draft"];

export const keptDraft = (): JobDraft | null => queries.getQueryData<JobDraft | null>(DRAFT) ?? null;
export const keepDraft = (draft: JobDraft | null) => queries.setQueryData<JobDraft | null>(DRAFT, draft);
