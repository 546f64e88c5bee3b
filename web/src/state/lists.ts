/** The lists of the board: status, runs, tags, kinds. Fetched and refreshed here, read everywhere by hooks. */

import { QueryClient, useQuery } from "@tanstack/react-query";
import { askFiles, askKinds, askProblems, askRuns, askStatus, askTags } from "../api/board";
import { ApiError } from "../api/client";
import type { EventFile, Run as RunInfo, RunList, Tag as TagInfo, TagList } from "../api/schema.gen";
import { remember } from "../base/remember";
import { naturalOrder } from "./natural";

export type { RunInfo, TagInfo };

/** While the server reads, its progress is asked for this often. */
const PROGRESS_MS = 500;

const MOST_RETRIES = 2;
/** A value was read and cannot be shown: asked again, the answer is the same. */
const UNPROCESSABLE = 422;

function isFinal(error: Error): boolean {
  return error instanceof ApiError && error.status === UNPROCESSABLE;
}

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      retry: (failures, error) => failures < MOST_RETRIES && !isFinal(error),
      refetchOnWindowFocus: false,
      networkMode: "always",
    },
  },
});

export const statusQuery = {
  queryKey: ["status"],
  queryFn: ({ signal }: { signal: AbortSignal }) => askStatus(signal),
};
export const runsQuery = {
  queryKey: ["runs"],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const before = queries.getQueryData<RunList>(["runs"]);
    return mergeRuns(before, await askRuns(before?.version, signal));
  },
  structuralSharing: (before: unknown, after: unknown) => sharedRuns(before as RunList, after as RunList),
};
export const tagsQuery = {
  queryKey: ["tags"],
  queryFn: ({ signal }: { signal: AbortSignal }) => askTags(signal),
  structuralSharing: (before: unknown, after: unknown) => sharedTags(before as TagList, after as TagList),
};

export function useStatus() {
  return useQuery({
    ...statusQuery,
    refetchInterval: (query) => (query.state.data?.loading ? PROGRESS_MS : false),
  });
}

/** What the person named the board, else the folder it shows. */
export function useBoardTitle(): string {
  const status = useStatus().data;
  return status?.title || (status?.logdir.replace(/\/+$/, "").split("/").at(-1) ?? "");
}

export const useRunList = () => useQuery(runsQuery);
export const useTagList = () => useQuery(tagsQuery);

/** Tags of each kind. Asked for when the first charts are up: nothing on screen waits for it. */
export function useKinds(enabled: boolean) {
  return useQuery({ queryKey: ["kinds"], queryFn: ({ signal }) => askKinds(signal), enabled });
}

export const PROBLEMS = ["problems"];

/** What could not be read. Asked for anew whenever somebody opens a list of it, and with every change while it is open. */
export function useProblems(enabled: boolean) {
  return useQuery({
    queryKey: PROBLEMS,
    queryFn: ({ signal }) => askProblems(signal),
    enabled,
    staleTime: 0,
  });
}

/** The event files of one run; asked for anew as the run grows. */
export function useEventFiles({ name, files, points, last_wall_time }: RunInfo): readonly EventFile[] {
  const { data } = useQuery({
    queryKey: ["files", name, files, points, last_wall_time],
    queryFn: ({ signal }) => askFiles(name, signal),
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

/**
 * Runs by name, in the order people expect. Once the server has read everything the order stands: a run that comes
 * later goes to the end, never between the rows under the pointer.
 */
export function useSortedRuns(): readonly RunInfo[] {
  const runs = useRuns();
  const settled = useStatus().data?.loading === false;
  return inPlace(runs, settled);
}

const inPlace = remember((runs: readonly RunInfo[], settled: boolean): readonly RunInfo[] => {
  const sorted = runs.toSorted(byPlace);
  if (settled) for (const { id } of sorted) if (!places.has(id)) places.set(id, places.size);
  return sorted;
});

/** Places of the runs that were there when the order was settled, and of those since. */
const places = new Map<number, number>();

function byPlace(a: RunInfo, b: RunInfo): number {
  const first = places.get(a.id) ?? Number.POSITIVE_INFINITY;
  const second = places.get(b.id) ?? Number.POSITIVE_INFINITY;
  return first === second ? naturalOrder(a.name, b.name) : first - second;
}

/** Seconds since the epoch; null for what JSON had to spell out. */
export function wallTime(value: number | string | null): number | null {
  return typeof value === "number" ? value : null;
}

/** The whole list, of one that the page has and an answer that tells what became different since. */
export function mergeRuns(before: RunList | undefined, answer: RunList): RunList {
  if (!before || answer.since === null) return answer;
  const rows = new Map(before.runs.map((run) => [run.id, run]));
  for (const run of answer.runs) rows.set(run.id, run);
  const ids = answer.ids ?? before.runs.map((run) => run.id);
  const runs = ids.map((id) => rows.get(id)).filter((run) => run !== undefined);
  return { ...answer, since: null, ids: null, runs };
}

/** Keeps the objects of rows that did not change, so that only the others are drawn again. */
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

/** Tables of hyper-parameters: new objects with each answer. */
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

function sameItems<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}
