/** PR curves of a tag at one step, and their statistics over steps. */

import { postJson } from "./client";
import type {
  PrCurvesResponse,
  PrProgressResponse,
  PrCurve as SentCurve,
  PrProgress as SentProgress,
} from "./schema.gen";

/** Numbers that JSON cannot express are strings. */
type Read<Body> = {
  [Name in keyof Body]: Body[Name] extends string
    ? Body[Name]
    : Body[Name] extends readonly unknown[]
      ? number[]
      : number;
};

/** One item per threshold in each list. */
export type PrCurve = Read<SentCurve>;
/** One item per step in each list. */
export type PrProgress = Read<SentProgress>;

interface CurvesRequest {
  tag: string;
  runs: readonly number[];
}

/** Each run at its step nearest to `step`; at its last step for null. */
export async function fetchPrCurves(
  request: CurvesRequest & { step: number | null },
  signal?: AbortSignal,
): Promise<readonly PrCurve[]> {
  return (await postJson<PrCurvesResponse>("pr_curves", request, signal)).curves.map(read);
}

export async function fetchPrProgress(
  request: CurvesRequest,
  signal?: AbortSignal,
): Promise<readonly PrProgress[]> {
  return (await postJson<PrProgressResponse>("pr_curves/progress", request, signal)).series.map(read);
}

const TEXTS = new Set(["key", "error"]);

function read<Body extends object>(body: Body): Read<Body> {
  const entries = Object.entries(body).map(([name, value]) => {
    if (TEXTS.has(name)) return [name, value];
    return [name, Array.isArray(value) ? value.map(Number) : Number(value)];
  });
  return Object.fromEntries(entries) as Read<Body>;
}
