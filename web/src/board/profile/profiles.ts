/** Captures of profilers: which there are, what of one is shown, and how that is changed. */

import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import {
  type CallQuestion,
  type CaptureName,
  type Category,
  type DifferenceOrder,
  type FindQuestion,
  fetchCallTree,
  fetchDifferences,
  fetchFound,
  fetchOperators,
  fetchOverview,
  fetchRange,
  fetchSkew,
  fetchSlice,
  fetchSteps,
  fetchTimeLine,
  fetchTimeLineSoFar,
  type OperatorOrder,
  type RangeQuestion,
  type TimeWindow,
} from "../../api/profiles";
import { hasSlices, type RunCapture } from "../data/captures";
import { type ColorScheme, slotColor } from "../runs/slot";
import type { ProfileView, SliceName } from "../view/profile-view";
import { type change, commit, useView } from "../view/view";

export type {
  AdviceRow,
  CallColumn,
  CallOrder,
  CallTree,
  CallTreeNode,
  CaptureInfo,
  CaptureName,
  Category,
  DeviceSummary,
  DifferenceColumn,
  FoundSlice,
  HostSummary,
  LinkedSlice,
  OperatorColumn,
  Overview,
  ProfileCounter,
  ProfileDifference,
  ProfileOperator,
  ProfileStep,
  ProfileTrack,
  RangeColumn,
  RangeSums,
  SliceDetails,
  SliceRangeRow,
  Steps,
  TimeLine,
  TimeWindow,
} from "../../api/profiles";
export {
  CALL_COLUMNS,
  DIFFERENCE_COLUMNS,
  OPERATOR_COLUMNS,
  RANGE_COLUMNS,
  SHAPE_COLUMNS,
} from "../../api/profiles";

const KIND = "profiles";
/** What is not shown is kept so long. */
const KEPT_MS = 10 * 60_000;
/** Between two looks at a capture that is being read. */
const AGAIN_MS = 1000;

/** Operators and steps that are fetched; of operators the first in the order that is chosen. */
export const MAX_OPERATORS = 5000;
export const MAX_STEPS = 2000;

/** The capture in the address, otherwise the newest one, of those with slices if there are some. While logs are read, nothing stands in for one that is named. */
export function useChosenCapture(captures: readonly RunCapture[], loading: boolean): RunCapture | undefined {
  const name = useView((view) => view.profile.capture);
  return useMemo(() => {
    const found = captures.find((each) => each.name === name);
    if (found || (name !== "" && loading)) return found;
    return [...captures].sort(
      (a, b) => Number(hasSlices(b)) - Number(hasSlices(a)) || b.wall - a.wall || (a.name < b.name ? -1 : 1),
    )[0];
  }, [captures, name, loading]);
}

export function useOverview(name: CaptureName, enabled = true) {
  return useQuery({
    queryKey: [KIND, "overview", name],
    queryFn: ({ signal }) => fetchOverview(name, signal),
    enabled,
    gcTime: KEPT_MS,
  });
}

/** Asked for once the capture is in memory, as are the others: the overview waits for it alone. */
export function useSteps(name: CaptureName, enabled: boolean) {
  return useQuery({
    queryKey: [KIND, "steps", name],
    queryFn: ({ signal }) => fetchSteps(name, MAX_STEPS, signal),
    enabled,
    gcTime: KEPT_MS,
  });
}

export function useSkew(name: CaptureName, limit: number, enabled: boolean) {
  return useQuery({
    queryKey: [KIND, "skew", name, limit],
    queryFn: ({ signal }) => fetchSkew(name, limit, signal),
    enabled,
    gcTime: KEPT_MS,
  });
}

export function useOperators(name: CaptureName, order: OperatorOrder, enabled: boolean) {
  return useQuery({
    queryKey: [KIND, "operators", name, order],
    queryFn: ({ signal }) => fetchOperators(name, order, signal),
    placeholderData: keepPreviousData,
    enabled,
  });
}

function callTreeQuery(name: CaptureName, question: CallQuestion) {
  return {
    queryKey: [KIND, "tree", name, question],
    queryFn: ({ signal }: { signal: AbortSignal }) => fetchCallTree(name, question, signal),
    gcTime: KEPT_MS,
  };
}

export function useCallTree(name: CaptureName, question: CallQuestion) {
  return useQuery({ ...callTreeQuery(name, question), placeholderData: keepPreviousData });
}

/** The answer to each question about a capture. */
export function useCallTrees(name: CaptureName, questions: readonly CallQuestion[]) {
  return useQueries({ queries: questions.map((question) => callTreeQuery(name, question)) });
}

export function useDifferences(name: CaptureName, order: DifferenceOrder) {
  return useQuery({
    queryKey: [KIND, "diff", name, order],
    queryFn: ({ signal }) => fetchDifferences(name, order, signal),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** With how many slices of each mark have the words of `search`, if it has some. */
export function useTimeLine(name: CaptureName, window: TimeWindow, search: string, enabled: boolean) {
  return useQuery({
    queryKey: [KIND, "timeline", name, window, search],
    queryFn: ({ signal }) => fetchTimeLine(name, window, search, signal),
    placeholderData: keepPreviousData,
    enabled,
    gcTime: 60_000,
  });
}

/** All of the time line as far as the capture was read, again and again until that is all. */
export function useTimeLineSoFar(name: CaptureName, width: number, enabled: boolean) {
  return useQuery({
    queryKey: [KIND, "timeline so far", name, width],
    queryFn: ({ signal }) => fetchTimeLineSoFar(name, width, signal),
    refetchInterval: ({ state }) => (state.data?.loaded === 1 ? false : AGAIN_MS),
    enabled,
    gcTime: 0,
    retry: false,
  });
}

export function useRange(name: CaptureName, question: RangeQuestion) {
  return useQuery({
    queryKey: [KIND, "range", name, question],
    queryFn: ({ signal }) => fetchRange(name, question, signal),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
}

/** The first slice with these words, and how many there are. */
export function useFound(name: CaptureName, search: string) {
  return useQuery({
    queryKey: [KIND, "find", name, search],
    queryFn: ({ signal }) => fetchFound(name, { search, begin_us: 0, backward: false }, signal),
    enabled: search.trim() !== "",
    placeholderData: keepPreviousData,
  });
}

export function findSlice(name: CaptureName, question: FindQuestion) {
  return fetchFound(name, question);
}

export function useSlice(name: CaptureName, slice: SliceName | null) {
  return useQuery({
    queryKey: [KIND, "slice", name, slice],
    queryFn: ({ signal }) => fetchSlice(name, slice!.host, slice!.slice, signal),
    enabled: slice !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** The time line at a slice, with all of its name marked. */
export function showSlice(slice: SliceName, start: number, duration: number, name: string): void {
  const room = Math.max(duration * 2, 0.01);
  const window = [Math.max(0, start - room), start + duration + room] as const;
  showProfile({ view: "timeline", slice, window: [...window], find: name, range: null });
}

/** The first slice of a name on the time line. */
export async function showSlicesOf(name: CaptureName, text: string): Promise<void> {
  const found = await fetchFound(name, { search: text, begin_us: 0, backward: false });
  if (found) showSlice({ host: found.host, slice: found.slice }, found.start_us, found.duration_us, text);
}

export function showProfile(patch: Partial<ProfileView>, how: typeof commit | typeof change = commit): void {
  how({ profile: { ...useView.getState().profile, ...patch } });
}

/** The slots of categories: the same colours as those of runs, which can be told apart. */
const SLOTS: Record<Category, number> = {
  compute: 0,
  communication: 3,
  copy: 5,
  input: 2,
  host: 9,
  annotation: 4,
  python: 6,
};

export function categoryColor(category: Category, scheme: ColorScheme): string {
  return slotColor(SLOTS[category], scheme);
}
