/** The queue of jobs, polled while the page is visible. */

import { useInfiniteQuery } from "@tanstack/react-query";
import type { JobQueue, QueuedJob } from "../../api/hub-schema.gen";
import { fetchQueue } from "../api/jobs";
import { pageByPage } from "./queries";

const PAGE_SIZE = 100;
const AGAIN_MS = 2000;

export function useQueue() {
  return useInfiniteQuery({
    queryKey: ["job queue"],
    ...pageByPage("", PAGE_SIZE, fetchQueue),
    placeholderData: (before) => before,
    refetchInterval: AGAIN_MS,
  });
}

/** The waiting jobs of all pages; one that has moved on between two requests is listed once. Pure. */
export function waitingJobs(pages: readonly JobQueue[]): QueuedJob[] {
  return [...new Map(pages.flatMap((page) => page.items).map((job) => [job.id, job])).values()];
}
