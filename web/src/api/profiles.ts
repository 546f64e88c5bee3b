/** Captures of profilers: which there are, overviews, steps, operators, time lines and single slices. */

import { getJson } from "./client";
import type {
  CallTreeResponse,
  CaptureInfo,
  CapturesResponse,
  FindResponse,
  FoundSliceResponse,
  MemoryResponse,
  OperatorsResponse,
  OverviewResponse,
  ProfileDiffResponse,
  SkewResponse,
  SliceDetails,
  SliceRangeResponse,
  StepsResponse,
  TimeLineResponse,
} from "./schema.gen";

export type {
  AdviceRow,
  CallTreeNode,
  CaptureInfo,
  DeviceMemoryRow,
  DeviceSummary,
  HostSummary,
  LinkedSlice,
  MemoryBlock,
  MemoryCurve,
  MemoryFrame,
  MemoryHolder,
  ProfileCounter,
  ProfileDifference,
  ProfileOperator,
  ProfileStep,
  ProfileTrack,
  SliceDetails,
  SliceRangeRow,
} from "./schema.gen";
export type Overview = OverviewResponse;
export type Memory = MemoryResponse;
export type Operators = OperatorsResponse;
export type Differences = ProfileDiffResponse;
export type Skew = SkewResponse;
export type Steps = StepsResponse;
export type TimeLine = TimeLineResponse;
export type RangeSums = SliceRangeResponse;
export type FoundSlice = FoundSliceResponse;
export type CallTree = CallTreeResponse;
export type Category = TimeLineResponse["categories"][number];

/** One capture as it is now: `at` differs when its files do. */
export interface CaptureName {
  capture: string;
  at: string;
}

export const OPERATOR_COLUMNS = [
  "name",
  "category",
  "scope",
  "count",
  "total_us",
  "self_us",
  "mean_us",
  "p95_us",
] as const;
/** The same where operators are apart by the shapes of their inputs. */
export const SHAPE_COLUMNS = [
  "name",
  "category",
  "shapes",
  "count",
  "total_us",
  "self_us",
  "mean_us",
  "p95_us",
] as const;
export type OperatorColumn = (typeof OPERATOR_COLUMNS)[number] | (typeof SHAPE_COLUMNS)[number];

export interface OperatorOrder {
  by?: "shape";
  search: string;
  sort: OperatorColumn;
  descending: boolean;
  limit: number;
}

export const CALL_COLUMNS = ["name", "count", "total_us", "self_us", "mean_us"] as const;
export type CallColumn = (typeof CALL_COLUMNS)[number];

export interface CallOrder {
  sort: CallColumn;
  descending: boolean;
}

/** Calls below a node, from above or from below, as far as they are opened. */
export interface CallQuestion {
  direction: "down" | "up";
  path: string;
  depth: number;
  limit: number;
  least_share: number;
  search: string;
  sort?: CallColumn;
  descending?: boolean;
}

export const DIFFERENCE_COLUMNS = [
  "name",
  "category",
  "scope",
  "before_us",
  "after_us",
  "difference_us",
  "ratio",
] as const;
export type DifferenceColumn = (typeof DIFFERENCE_COLUMNS)[number];

export interface DifferenceOrder {
  base: CaptureName;
  rank: number | null;
  baseRank: number | null;
  search: string;
  sort: DifferenceColumn;
  descending: boolean;
  limit: number;
}

export interface TimeWindow {
  begin_us: number;
  end_us: number;
  width: number;
}

export const RANGE_COLUMNS = ["name", "category", "count", "total_us", "self_us", "mean_us"] as const;
export type RangeColumn = (typeof RANGE_COLUMNS)[number];

export interface RangeQuestion {
  begin_us: number;
  end_us: number;
  /** Empty for all of them. */
  tracks: string;
  sort: RangeColumn;
  descending: boolean;
  limit: number;
}

/** Words, and where to begin: behind or before a slice or a moment. */
export interface FindQuestion {
  search: string;
  backward: boolean;
  begin_us: number;
  slice?: { host: number; slice: number } | null;
}

export async function fetchCaptures(signal?: AbortSignal): Promise<readonly CaptureInfo[]> {
  return (await getJson<CapturesResponse>("profiles", signal)).captures;
}

export function fetchOverview(name: CaptureName, signal?: AbortSignal): Promise<Overview> {
  return ask("overview", name, {}, signal);
}

export function fetchSteps(name: CaptureName, limit: number, signal?: AbortSignal): Promise<Steps> {
  return ask("steps", name, { limit }, signal);
}

/** The steps with this number: one of each host, and more if it comes again. */
export function fetchStep(name: CaptureName, step: number, signal?: AbortSignal): Promise<Steps> {
  return ask("steps", name, { step }, signal);
}

export function fetchSkew(name: CaptureName, limit: number, signal?: AbortSignal): Promise<Skew> {
  return ask("skew", name, { limit }, signal);
}

export function fetchOperators(
  name: CaptureName,
  order: OperatorOrder,
  signal?: AbortSignal,
): Promise<Operators> {
  return ask("operators", name, { ...order }, signal);
}

export function fetchCallTree(
  name: CaptureName,
  question: CallQuestion,
  signal?: AbortSignal,
): Promise<CallTree> {
  return ask("tree", name, { ...question }, signal);
}

export function fetchDifferences(
  name: CaptureName,
  { base, rank, baseRank, ...order }: DifferenceOrder,
  signal?: AbortSignal,
): Promise<Differences> {
  const ranks = { ...(rank === null ? {} : { rank }), ...(baseRank === null ? {} : { base_rank: baseRank }) };
  return ask("diff", name, { ...order, ...ranks, base: base.capture, base_at: base.at }, signal);
}

export function fetchTimeLine(
  name: CaptureName,
  window: TimeWindow,
  search: string,
  signal?: AbortSignal,
): Promise<TimeLine> {
  return ask("timeline", name, { ...window, search }, signal);
}

/** The whole time line of what was read so far; `loaded` is less than 1 until that is all. */
export function fetchTimeLineSoFar(
  name: CaptureName,
  width: number,
  signal?: AbortSignal,
): Promise<TimeLine> {
  return ask("timeline", name, { width, partial: true }, signal);
}

export function fetchRange(
  name: CaptureName,
  question: RangeQuestion,
  signal?: AbortSignal,
): Promise<RangeSums> {
  return ask("range", name, { ...question }, signal);
}

/** The nearest slice; null if no slice has these words. */
export async function fetchFound(
  name: CaptureName,
  { slice, ...question }: FindQuestion,
  signal?: AbortSignal,
): Promise<FoundSlice | null> {
  return (await ask<FindResponse>("find", name, { ...question, ...slice }, signal)).found;
}

export function fetchSlice(
  name: CaptureName,
  host: number,
  slice: number,
  signal?: AbortSignal,
): Promise<SliceDetails> {
  return ask("slice", name, { host, slice }, signal);
}

export function fetchMemory(name: CaptureName, width: number, signal?: AbortSignal): Promise<Memory> {
  return ask("memory", name, { width }, signal);
}

function ask<Answer>(
  what: string,
  name: CaptureName,
  query: Record<string, string | number | boolean>,
  signal?: AbortSignal,
): Promise<Answer> {
  const words = Object.entries({ ...name, ...query }).map(([key, value]) => [key, String(value)]);
  return getJson(`profiles/${what}?${new URLSearchParams(words)}`, signal);
}
