/** Requests of the board, one function each. */

import { getJson, postForBytes, postJson } from "./client";
import type {
  CustomCategory,
  CustomChart,
  CustomScalars,
  EventFileList,
  Hparams,
  ProblemList,
  RangeResponse,
  RunList,
  StatsResponse,
  Status,
  TagList,
} from "./schema.gen";

export interface ChartSpec {
  tag: string;
  runs: readonly number[];
  /** Groups of runs drawn as one line each, besides the single runs. */
  groups?: readonly { id: number; runs: readonly number[] }[];
  x0: number | null;
  x1: number | null;
}

export interface ChartsRequest {
  axis: "step" | "relative" | "wall" | "tag";
  /** Device pixels of the widest chart. */
  px: number;
  smoothing: number;
  aux: boolean;
  /** The tag on the x axis, if the axis is "tag". */
  x_tag?: string;
  /** For groups. */
  statistic?: "mean" | "median";
  band?: "none" | "sd" | "se" | "minmax";
  /** Which of the points that share a step; "all" if it is left out. */
  repeats?: "all" | "last";
  charts: readonly ChartSpec[];
}

/** The number of tags of each kind. */
export interface KindCounts {
  generation: number;
  plugins: Record<string, number>;
}

export const fetchStatus = (signal?: AbortSignal) => getJson<Status>("status", signal);
/** With the version of an earlier response, returns only what changed since: see RunList. */
export const fetchRuns = (since?: string, signal?: AbortSignal) =>
  getJson<RunList>(since === undefined ? "runs" : `runs?${new URLSearchParams({ since })}`, signal);
export const fetchTags = (signal?: AbortSignal) => getJson<TagList>("tags?plugin=scalars", signal);
export const fetchKinds = (signal?: AbortSignal) => getJson<KindCounts>("tags", signal);
export const fetchProblems = (signal?: AbortSignal) => getJson<ProblemList>("problems", signal);
export const fetchFiles = (run: string, signal?: AbortSignal) =>
  getJson<EventFileList>(`runs/files?${new URLSearchParams({ run })}`, signal);
export const requestReload = () => postJson<Status>("reload");

/** The points of many charts in one binary body. */
export const fetchCharts = (request: ChartsRequest, signal?: AbortSignal) =>
  postForBytes("scalars/chart", request, signal);

export const fetchStats = (
  request: { tags: readonly string[]; runs: readonly number[] | null },
  signal?: AbortSignal,
) => postJson<StatsResponse>("scalars/stats", request, signal);

/** Exact statistics between two steps; null is an open end. */
export const fetchRanges = (
  request: {
    tags: readonly string[];
    runs: readonly number[];
    first: number | null;
    last: number | null;
  },
  signal?: AbortSignal,
) => postJson<RangeResponse>("scalars/range", request, signal);

export type { CustomCategory, CustomChart, CustomScalars };

export const fetchCustomScalars = (signal?: AbortSignal) => getJson<CustomScalars>("custom_scalars", signal);

export const fetchHparams = (signal?: AbortSignal) => getJson<Hparams>("hparams", signal);

interface ColumnSpec {
  tag: string;
  stat: string;
}

interface ColumnsResponse {
  generation: number;
  /** Run ids, in the order of every column. */
  runs: readonly number[];
  /** Strings stand for non-finite numbers, null for a run without the tag. */
  columns: readonly (readonly (number | string | null)[])[];
}

export const fetchColumns = (columns: readonly ColumnSpec[], signal?: AbortSignal) =>
  postJson<ColumnsResponse>("runs/columns", { columns }, signal);
