/** What the board asks of the server, one function per question. */

import { getJson, postForBytes, postJson } from "./client";
import type {
  EventFileList,
  ProblemList,
  RangeAnswer,
  RunList,
  StatsAnswer,
  Status,
  TagList,
} from "./schema.gen";

export interface ChartQuestion {
  tag: string;
  runs: readonly number[];
  /** Runs that are drawn as one line each, beside those alone. */
  groups?: readonly { id: number; runs: readonly number[] }[];
  x0: number | null;
  x1: number | null;
}

export interface ChartsQuestion {
  axis: "step" | "relative" | "wall" | "tag";
  /** Device pixels of the widest chart. */
  px: number;
  smoothing: number;
  aux: boolean;
  /** The tag whose values are x, on the axis "tag". */
  x_tag?: string;
  /** Of groups. */
  statistic?: "mean" | "median";
  band?: "none" | "sd" | "se" | "minmax";
  charts: readonly ChartQuestion[];
}

/** How many tags there are of each kind. */
export interface KindCounts {
  generation: number;
  plugins: Record<string, number>;
}

export const askStatus = (signal?: AbortSignal) => getJson<Status>("status", signal);
/** With the version of an earlier answer, only what changed since: see RunList. */
export const askRuns = (since?: string, signal?: AbortSignal) =>
  getJson<RunList>(since === undefined ? "runs" : `runs?${new URLSearchParams({ since })}`, signal);
export const askTags = (signal?: AbortSignal) => getJson<TagList>("tags?plugin=scalars", signal);
export const askKinds = (signal?: AbortSignal) => getJson<KindCounts>("tags", signal);
export const askProblems = (signal?: AbortSignal) => getJson<ProblemList>("problems", signal);
export const askFiles = (run: string, signal?: AbortSignal) =>
  getJson<EventFileList>(`runs/files?${new URLSearchParams({ run })}`, signal);
export const askReload = () => postJson<Status>("reload");

/** The points of many charts, one binary body. */
export const askCharts = (question: ChartsQuestion, signal?: AbortSignal) =>
  postForBytes("scalars/chart", question, signal);

export const askStats = (
  question: { tags: readonly string[]; runs: readonly number[] | null },
  signal?: AbortSignal,
) => postJson<StatsAnswer>("scalars/stats", question, signal);

/** Exact figures between two steps; null is an open end. */
export const askRanges = (
  question: {
    tags: readonly string[];
    runs: readonly number[];
    first: number | null;
    last: number | null;
  },
  signal?: AbortSignal,
) => postJson<RangeAnswer>("scalars/range", question, signal);
