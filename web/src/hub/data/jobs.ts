/**
 * Queries of jobs, updated by the stream of changes, and polled while the page is visible for what is no part of these:
 * often while something is going on.
 */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type {
  AttemptLineage,
  InputComparison,
  JobDetail,
  JobLineage,
  JobPage,
  JobResponse,
} from "../../api/hub-schema.gen";
import {
  fetchJob,
  fetchJobHttp,
  fetchJobInputs,
  fetchJobLineage,
  fetchJobMetrics,
  fetchJobs,
  fetchJobUsage,
} from "../api/jobs";
import { usePermitted } from "./accounts";
import { hasProjectPermission, useMe } from "./me";
import { extended, isExtensible, NONE, USUAL } from "./metrics";
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

/** Stores a job from the stream of changes, which knows no metrics. */
export function followJob({ metrics: _, ...job }: Job): void {
  const known = jobCache.upsert(job);
  if (!known || !isMoving(job)) jobCache.refreshListsSoon();
}

export const dropJob = (id: string) => jobCache.drop(id);

const ACTIVE_MS = 2000;
/** They may be much larger than all else. */
const METRICS_MS = 4000;
/** While everything has ended, changes come from others. */
const QUIET_MS = 10_000;

const ENDED: readonly JobStatus[] = ["Succeeded", "Failed", "Stopped"];
const GONE: readonly JobStatus[] = ["Deleting", "Deleted"];

/** Whether it has ended, so that it can be restarted. */
export const hasEnded = ({ status }: Pick<Job, "status">) => ENDED.includes(status);

/** Whether it waits, runs or is paused, so that it can be stopped. */
export const isActive = (job: Pick<Job, "status">) =>
  !hasEnded(job) && !GONE.includes(job.status) && job.status !== "Stopping";

/** Whether it waits for slots. */
export const isWaiting = ({ status }: Pick<Job, "status">) => status === "Queued" || status === "Restarting";

/** Whether it can be paused; a notebook is stopped and started instead. */
export const isPausable = (job: Pick<Job, "kind" | "status">) =>
  !isNotebook(job) && (isWaiting(job) || job.status === "Starting" || job.status === "Running");

export const isNotebook = ({ kind }: Pick<Job, "kind">) => kind === "notebook";

/** The list that has it, as a kind of Job Analysis. */
export const listOf = (kind: JobKind) => `/?kind=${kind}s`;

const isMoving = (job: Pick<Job, "status">) =>
  !hasEnded(job) && job.status !== "Paused" && job.status !== "Deleted";

/** The list for a request (without page and size), loaded page by page. */
export function useJobs(request: string) {
  useEffect(() => () => void usualColumns.delete(request), [request]);
  return useInfiniteQuery({
    queryKey: [LISTS, request],
    ...pageByPage(request, PAGE_SIZE, (query, signal) =>
      query.get("metrics") === USUAL ? fetchUsual(request, query, signal) : fetchJobs(query, signal),
    ),
    placeholderData: (before) => before,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some(isMoving)) ? ACTIVE_MS : QUIET_MS,
  });
}

/** The usual columns of each list on the page, which must not change while one looks at it. */
const usualColumns = new Map<string, readonly string[]>();

/** A page of a list with the usual columns: those that it has had so far, and if there are few, new ones. */
async function fetchUsual(request: string, query: URLSearchParams, signal: AbortSignal): Promise<JobPage> {
  const known = usualColumns.get(request) ?? [];
  const isFirst = query.get("page") === "1";
  if (isFirst && isExtensible(known)) {
    const page = await fetchJobs(query, signal);
    const columns = extended(known, page.metrics);
    if (columns) {
      usualColumns.set(request, columns);
      return { ...page, metrics: [...columns] };
    }
  }
  if (isFirst || known.length > 0) query.set("metrics", known.join(","));
  else query.delete("metrics");
  return fetchJobs(query, signal);
}

const NO_COLUMNS: readonly string[] = [];

/** The metrics that a list shows as columns. */
export function useMetricColumns(
  list: ReturnType<typeof useJobs>,
  query: URLSearchParams,
): readonly string[] {
  return query.get("metrics") === NONE ? NO_COLUMNS : (list.data?.pages[0]?.metrics ?? NO_COLUMNS);
}

/** The metrics of a job. */
export function useJobMetrics(job: Pick<Job, "id" | "status">) {
  return useQuery({
    queryKey: [ONE, job.id, "metrics"],
    queryFn: ({ signal }) => fetchJobMetrics(job.id, signal),
    refetchInterval: isMoving(job) ? METRICS_MS : QUIET_MS,
  });
}

/** What its last attempt has used of the machine. */
export function useJobUsage(job: Pick<Job, "id" | "status" | "attempt">) {
  return useQuery({
    queryKey: [ONE, job.id, "usage", job.attempt],
    queryFn: ({ signal }) => fetchJobUsage(job.id, signal),
    refetchInterval: isMoving(job) ? METRICS_MS : false,
  });
}

/** Whether a job serves its web page now; it is asked often until it does. */
export function useJobHttp(job: Pick<Job, "id" | "status" | "attempt">, enabled: boolean) {
  return useQuery({
    queryKey: [ONE, job.id, "http", job.status, job.attempt],
    queryFn: ({ signal }) => fetchJobHttp(job.id, signal),
    refetchInterval: ({ state: { data } }) => (data?.listens ? QUIET_MS : ACTIVE_MS),
    enabled,
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

/** The contents of inputs are recorded within ten seconds of the start. */
const RECORDED_AFTER_SECS = 12;

/** What a job ran with. It is asked again when another attempt begins, and until the contents of inputs are recorded. */
export function useJobLineage({ id, attempt }: Pick<Job, "id" | "attempt">) {
  return useQuery<JobLineage>({
    queryKey: ["job lineage", id, attempt],
    queryFn: ({ signal }) => fetchJobLineage(id, signal),
    placeholderData: (before) => (before?.id === id ? before : undefined),
    refetchInterval: ({ state }) => (isRecording(state.data) ? ACTIVE_MS : false),
  });
}

function isRecording(lineage: JobLineage | undefined): boolean {
  const last = lineage?.attempts.at(-1);
  return (
    last !== undefined &&
    Date.now() / 1000 - last.at < RECORDED_AFTER_SECS &&
    last.inputs.some(({ contents }) => contents === null)
  );
}

/** The recorded inputs of an attempt, compared with what is there now; by name. None while that is not known. */
export function useChangedInputs(job: Pick<Job, "id">, attempt: AttemptLineage | undefined) {
  const recorded = attempt?.inputs.filter(({ contents }) => contents?.digest).map(({ name }) => name) ?? [];
  const { data } = useQuery({
    queryKey: ["job inputs", job.id, attempt?.attempt, recorded],
    queryFn: ({ signal }) => fetchJobInputs(job.id, attempt?.attempt ?? 0, signal),
    enabled: recorded.length > 0,
    staleTime: QUIET_MS,
    retry: false,
  });
  return new Map<string, InputComparison>(
    data?.inputs.filter(({ changed }) => changed).map((each) => [each.name, each]),
  );
}

/** Whether the account may create jobs or notebooks somewhere. */
export function useMayCreate(kind: JobKind): boolean {
  const me = useMe().data;
  return usePermitted("run_jobs") && hasProjectPermission(me, `${kind}s.create`);
}

/** How many variables have a value that the account may not see. */
export const hiddenCount = (job: Job): number =>
  Object.values(job.environment).filter((value) => value === null).length;

/** The TensorBoards of jobs or notebooks, by the id of the job. */
export function useJobBoards(kind: JobKind): ReadonlyMap<string, Board> {
  const boards = useTensorboards(`origin=${kind}`, usePermitted("use_tensorboards")).data;
  const newestLast = boards?.pages.flatMap((page) => page.items).toReversed() ?? [];
  return new Map(newestLast.map((board) => [board.origin_id, board]));
}

/** The TensorBoard of a job or notebook, if it has one. */
export function useJobBoard({ id, kind }: Pick<Job, "id" | "kind">): Board | undefined {
  const boards = useTensorboards(`origin=${kind}&origin_id=${id}`, usePermitted("use_tensorboards")).data;
  return boards?.pages[0]?.items.find((board) => board.status !== "Deleting");
}

/** Seconds that the last attempt has run, null before it starts. */
export function ranSecs(job: Pick<Job, "started_at" | "ended_at">, now: number): number | null {
  return job.started_at === null ? null : Math.max(0, (job.ended_at ?? now) - job.started_at);
}
