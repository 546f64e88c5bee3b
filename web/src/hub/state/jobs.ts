/** Queries of jobs, polled while the page is visible: often while something is going on. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { fetchJob, fetchJobLineage, fetchJobs } from "../../api/hub/jobs";
import type { JobDetail, JobLineage, JobResponse } from "../../api/hub/schema.gen";
import { usePermitted } from "./accounts";
import { hasProjectPermission, useMe } from "./me";
import { pageByPage } from "./queries";
import { ResourceCache } from "./resource-cache";
import { type Board, useTensorboards } from "./tensorboards";

export type Job = JobResponse;
export type JobStatus = Job["status"];
export type JobKind = Job["kind"];

const LISTS = "jobs";
const ONE = "job";
const PAGE_SIZE = 100;
export const jobCache = new ResourceCache<Job>(LISTS, ONE);

const ACTIVE_MS = 2000;
/** While everything has ended, changes come from others. */
const QUIET_MS = 10_000;

const ENDED: readonly JobStatus[] = ["Succeeded", "Failed", "Stopped"];
const GONE: readonly JobStatus[] = ["Deleting", "Deleted"];

/** Whether it has ended, so that it can be restarted. */
export const hasEnded = ({ status }: Pick<Job, "status">) => ENDED.includes(status);

/** Whether it waits or runs, so that it can be stopped. */
export const isActive = (job: Pick<Job, "status">) =>
  !hasEnded(job) && !GONE.includes(job.status) && job.status !== "Stopping";

export const isNotebook = ({ kind }: Pick<Job, "kind">) => kind === "notebook";

/** The list that has it, as a kind of Job Analysis. */
export const listOf = (kind: JobKind) => `/?kind=${kind}s`;

const isMoving = (job: Pick<Job, "status">) => !hasEnded(job) && job.status !== "Deleted";

/** The list for a request (without page and size), loaded page by page. */
export function useJobs(request: string) {
  return useInfiniteQuery({
    queryKey: [LISTS, request],
    ...pageByPage(request, PAGE_SIZE, fetchJobs),
    placeholderData: (before) => before,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some(isMoving)) ? ACTIVE_MS : QUIET_MS,
  });
}

export const jobKey = (id: string) => [ONE, id];

export function useJob(id: string) {
  return useQuery<JobDetail>({
    queryKey: jobKey(id),
    queryFn: ({ signal }) => fetchJob(id, signal),
    refetchInterval: ({ state: { data } }) =>
      data === undefined ? false : isMoving(data) ? ACTIVE_MS : QUIET_MS,
  });
}

/** What a job ran with. It is asked again when another attempt begins. */
export function useJobLineage({ id, attempt }: Pick<Job, "id" | "attempt">) {
  return useQuery<JobLineage>({
    queryKey: ["job lineage", id, attempt],
    queryFn: ({ signal }) => fetchJobLineage(id, signal),
    placeholderData: (before) => (before?.id === id ? before : undefined),
  });
}

/** Whether the account may create jobs or notebooks somewhere. */
export function useMayCreate(kind: JobKind): boolean {
  const me = useMe().data;
  return usePermitted("run_jobs") && hasProjectPermission(me, `${kind}s.create`);
}

/** The TensorBoards of jobs or notebooks, by the id of the job. */
export function useJobBoards(kind: JobKind): ReadonlyMap<string, Board> {
  const boards = useTensorboards(`origin=${kind}`, usePermitted("use_tensorboards")).data;
  const newestLast = boards?.pages.flatMap((page) => page.items).toReversed() ?? [];
  return new Map(newestLast.map((board) => [board.origin_id, board]));
}

/** Seconds that the last attempt has run, null before it starts. */
export function ranSecs(job: Pick<Job, "started_at" | "ended_at">, now: number): number | null {
  return job.started_at === null ? null : Math.max(0, (job.ended_at ?? now) - job.started_at);
}
