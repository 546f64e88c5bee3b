import { expect, test } from "vitest";
import type { JobUsageHistory } from "../../api/hub-schema.gen";
import { usageCharts, usageSpan } from "./usage";

const LIMITS = { cpus: 4, memory: 1000 };

function replica(rank: number, gpus: JobUsageHistory["replicas"][number]["gpus"] = []) {
  return {
    rank,
    at: [101, 102],
    secs: [1, 1],
    cpus: [0.5, 2],
    memory_bytes: [100, 300],
    processes: [1, 2],
    gpus,
  };
}

const GPU = { id: 3, total_memory_bytes: 80, utilization: [0.25, 0.5], memory_bytes: [10, 20] };

test("a job without GPUs has charts of processors and memory that begin at zero", () => {
  const history = { attempt: 1, replicas: [replica(0)] };
  const points = (values: number[]) => ({ steps: [101, 102], values });
  expect(usageCharts(history, LIMITS)).toEqual([
    {
      resource: "cpus",
      lines: [{ rank: 0, gpu: null, points: points([0.5, 2]), last: 2, total: 4 }],
      left: 0,
      range: { low: 0, high: 2 },
    },
    {
      resource: "memory",
      lines: [{ rank: 0, gpu: null, points: points([100, 300]), last: 300, total: 1000 }],
      left: 0,
      range: { low: 0, high: 300 },
    },
  ]);
});

test("each GPU of each replica is a line, of which all is the highest value", () => {
  const history = { attempt: 1, replicas: [replica(0, [GPU]), replica(1, [{ ...GPU, id: 4 }])] };
  const [, , busy, held] = usageCharts(history, LIMITS);
  expect([busy?.range, busy?.lines.map(({ rank, gpu, last }) => [rank, gpu, last])]).toEqual([
    { low: 0, high: 1 },
    [
      [0, 3, 0.5],
      [1, 4, 0.5],
    ],
  ]);
  expect(held?.lines.map(({ last, total }) => [last, total])).toEqual([
    [20, 80],
    [20, 80],
  ]);
});

test("more replicas than can be told apart are counted", () => {
  const history = { attempt: 1, replicas: Array.from({ length: 10 }, (_, rank) => replica(rank)) };
  expect(usageCharts(history, LIMITS).map(({ lines, left }) => [lines.length, left])).toEqual([
    [8, 2],
    [8, 2],
  ]);
});

test("the span is from the beginning of the first sample to the end of the last one", () => {
  expect(usageSpan({ attempt: 1, replicas: [replica(0)] })).toEqual({ low: 100, high: 102 });
  expect(usageSpan({ attempt: 0, replicas: [] })).toBeNull();
});
