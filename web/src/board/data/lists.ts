/** The lists of the board: status, runs, tags, kinds. Fetched and refreshed here, read everywhere by hooks. */

import { QueryClient, useQuery } from "@tanstack/react-query";
import { fetchFiles, fetchKinds, fetchProblems, fetchRuns, fetchStatus, fetchTags } from "../../api/board";
import { ApiError } from "../../api/client";
import type {
  EventFile,
  Run as RunInfo,
  RunList,
  Status,
  Tag as TagInfo,
  TagList,
} from "../../api/schema.gen";
import { memoize } from "../../lib/memoize";
import { naturalOrder } from "../../lib/natural-order";
import { sameItems } from "../../lib/same-items";
import { shareQuery, useSharedQuery } from "./shared-query";

export type { RunInfo, TagInfo };

/** How often to poll the progress while the server reads logs. */
const PROGRESS_MS = 500;

/** A run counts as live for a minute after its last event. */
const LIVE_CHECK_MS = 30_000;

const MAX_RETRIES = 2;
/** A value was read but cannot be shown; a retry would get the same response. */
const UNPROCESSABLE = 422;

function isFinal(error: Error): boolean {
  return error instanceof ApiError && error.status === UNPROCESSABLE;
}

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      retry: (failures, error) => failures < MAX_RETRIES && !isFinal(error),
      refetchOnWindowFocus: false,
      networkMode: "always",
    },
  },
});

export const statusQuery = {
  queryKey: ["status"],
  queryFn: ({ signal }: { signal: AbortSignal }) => fetchStatus(signal),
};
export const runsQuery = {
  queryKey: ["runs"],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const before = queries.getQueryData<RunList>(["runs"]);
    return mergeRuns(before, await fetchRuns(before?.version, signal));
  },
  structuralSharing: (before: unknown, after: unknown) => sharedRuns(before as RunList, after as RunList),
};
export const tagsQuery = {
  queryKey: ["tags"],
  queryFn: ({ signal }: { signal: AbortSignal }) => fetchTags(signal),
  structuralSharing: (before: unknown, after: unknown) => sharedTags(before as TagList, after as TagList),
};

const status = shareQuery<Status>(queries, {
  ...statusQuery,
  refetchInterval: (query) => (query.state.data?.loading ? PROGRESS_MS : false),
});
const runList = shareQuery<RunList>(queries, runsQuery);
const tagList = shareQuery<TagList>(queries, tagsQuery);

export const useStatus = () => useSharedQuery(status);
export const useRunList = () => useSharedQuery(runList);
export const useTagList = () => useSharedQuery(tagList);

/** The name that the user gave the board, or the folder it shows. */
export function useBoardTitle(): string {
  const status = useStatus().data;
  return status?.title || (status?.logdir.replace(/\/+$/, "").split("/").at(-1) ?? "");
}

/** Fetches the runs again while one is live, since no event tells when writing has stopped. For one component. */
export function useLiveRunsRefresh(enabled: boolean): void {
  useQuery({
    ...runsQuery,
    enabled,
    refetchInterval: (query) =>
      query.state.data?.runs.some(({ status }) => status === "live") ? LIVE_CHECK_MS : false,
  });
}

/** The number of tags of each kind. Fetched after the first charts, since nothing on screen waits for it. */
export function useKinds(enabled: boolean) {
  return useQuery({ queryKey: ["kinds"], queryFn: ({ signal }) => fetchKinds(signal), enabled });
}

export const PROBLEMS = ["problems"];

/** Problems while reading. Fetched whenever a list of them opens, and on each change while it is open. */
export function useProblems(enabled: boolean) {
  return useQuery({
    queryKey: PROBLEMS,
    queryFn: ({ signal }) => fetchProblems(signal),
    enabled,
    staleTime: 0,
  });
}

/** The event files of one run; fetched again as the run grows. */
export function useEventFiles({ name, files, points, last_wall_time }: RunInfo): readonly EventFile[] {
  const { data } = useQuery({
    queryKey: ["files", name, files, points, last_wall_time],
    queryFn: ({ signal }) => fetchFiles(name, signal),
    placeholderData: (before) => (before?.run === name ? before : undefined),
  });
  return data?.files ?? NO_FILES;
}

const NO_FILES: readonly EventFile[] = [];
const NO_RUNS: readonly RunInfo[] = [];
const NO_TAGS: readonly TagInfo[] = [];

export function useRuns(): readonly RunInfo[] {
  return useRunList().data?.runs ?? NO_RUNS;
}

export function useTags(): readonly TagInfo[] {
  return useTagList().data?.tags ?? NO_TAGS;
}

/** The server has read everything and the tags are known: until then a missing name may yet appear. */
export function useSettled(): boolean {
  const tags = useTagList();
  const loading = useStatus().data?.loading ?? true;
  return tags.data !== undefined && tags.error === null && !loading;
}

/**
 * Runs in natural order. Once the server has read everything the order is fixed: later runs are appended, never
 * inserted between the rows under the pointer.
 */
export function useSortedRuns(): readonly RunInfo[] {
  const runs = useRuns();
  const settled = useStatus().data?.loading === false;
  return inPlace(runs, settled);
}

const inPlace = memoize((runs: readonly RunInfo[], settled: boolean): readonly RunInfo[] => {
  const sorted = runs.toSorted(byPlace);
  if (settled) for (const { id } of sorted) if (!places.has(id)) places.set(id, places.size);
  return sorted;
});

/** Positions of the runs, those of when the order was fixed and those added since. */
const places = new Map<number, number>();

function byPlace(a: RunInfo, b: RunInfo): number {
  const first = places.get(a.id) ?? Number.POSITIVE_INFINITY;
  const second = places.get(b.id) ?? Number.POSITIVE_INFINITY;
  return first === second ? naturalOrder(a.name, b.name) : first - second;
}

/** Seconds since the epoch; null for numbers that JSON cannot express. */
export function wallTime(value: number | string | null): number | null {
  return typeof value === "number" ? value : null;
}

/** Merges a response that only has changes into the list that the page has. */
export function mergeRuns(before: RunList | undefined, answer: RunList): RunList {
  if (!before || answer.since === null) return answer;
  const rows = new Map(before.runs.map((run) => [run.id, run]));
  for (const run of answer.runs) rows.set(run.id, run);
  const ids = answer.ids ?? before.runs.map((run) => run.id);
  const runs = ids.map((id) => rows.get(id)).filter((run) => run !== undefined);
  return { ...answer, since: null, ids: null, runs };
}

/** Reuses the objects of rows that did not change, so that only the others render again. */
function sharedRuns(before: RunList | undefined, after: RunList): RunList {
  if (!before) return after;
  const old = new Map(before.runs.map((run) => [run.id, run]));
  const runs = after.runs.map((run) => {
    const was = old.get(run.id);
    return was && sameRun(was, run) ? was : run;
  });
  return { ...after, runs: sameItems(before.runs, runs) ? before.runs : runs };
}

function sameRun(a: RunInfo, b: RunInfo): boolean {
  return (Object.keys(b) as (keyof RunInfo)[]).every((key) => a[key] === b[key] || sameTable(a[key], b[key]));
}

/** Compares hyperparameters, which are new objects in each response. */
function sameTable(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const entries = Object.entries(b);
  const was = a as Record<string, unknown>;
  return (
    Object.keys(a).length === entries.length && entries.every(([key, value]) => Object.is(was[key], value))
  );
}

function sharedTags(before: TagList | undefined, after: TagList): TagList {
  if (!before) return after;
  const old = new Map(before.tags.map((tag) => [tag.tag, tag]));
  const tags = after.tags.map((tag) => {
    const was = old.get(tag.tag);
    return was && was.description === tag.description && sameItems(was.runs, tag.runs) ? was : tag;
  });
  return { ...after, tags: sameItems(before.tags, tags) ? before.tags : tags };
}
