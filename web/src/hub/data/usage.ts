/** What the replicas of a job have used, as lines of charts. Pure. */

import type { JobUsageHistory } from "../../api/hub-schema.gen";
import { MAX_LINES, type Points, type Range, rangeOf } from "./metrics";

export type Resource = "cpus" | "memory" | "gpu" | "gpuMemory";

export interface UsageLine {
  rank: number;
  /** Null unless it is of a GPU. */
  gpu: number | null;
  points: Points;
  last: number;
  /** All that there is, null if that is not known. */
  total: number | null;
}

export interface UsageChart {
  resource: Resource;
  lines: readonly UsageLine[];
  /** How many more lines there are. */
  left: number;
  range: Range;
}

/** Charts of what was measured; those of GPUs if there are any. Their values begin at 0. */
export function usageCharts(
  { replicas }: JobUsageHistory,
  limits: { cpus: number | null; memory: number | null },
): UsageChart[] {
  const cpus = replicas.map(({ rank, at, cpus }) => line(rank, null, at, cpus, limits.cpus));
  const memory = replicas.map(({ rank, at, memory_bytes }) =>
    line(rank, null, at, memory_bytes, limits.memory),
  );
  const gpus = replicas.flatMap(({ rank, at, gpus }) => gpus.map((gpu) => ({ rank, at, ...gpu })));
  const busy = gpus.map(({ rank, id, at, utilization }) => line(rank, id, at, utilization, 1));
  const held = gpus.map((gpu) => line(gpu.rank, gpu.id, gpu.at, gpu.memory_bytes, gpu.total_memory_bytes));
  return [
    chart("cpus", cpus),
    chart("memory", memory),
    ...(gpus.length > 0 ? [chart("gpu", busy, 1), chart("gpuMemory", held)] : []),
  ];
}

function line(
  rank: number,
  gpu: number | null,
  steps: readonly number[],
  values: readonly number[],
  total: number | null,
): UsageLine {
  return { rank, gpu, points: { steps, values }, last: values.at(-1) ?? 0, total };
}

function chart(resource: Resource, all: readonly UsageLine[], least = 0): UsageChart {
  const lines = all.slice(0, MAX_LINES);
  const range = rangeOf([0, least, ...lines.flatMap(({ points }) => points.values)])!;
  return { resource, lines, left: all.length - lines.length, range };
}

/** When the first sample began and the last one ended, in seconds since the epoch; null if there is none. */
export function usageSpan({ replicas }: JobUsageHistory): Range | null {
  return rangeOf(replicas.flatMap(({ at, secs }) => [at[0]! - secs[0]!, at.at(-1)!]));
}
