/** PR curves: those of a tag at one step, and how their figures went. */

import { postJson } from "./client";
import type {
  PrCurvesAnswer,
  PrProgressAnswer,
  PrCurve as SentCurve,
  PrProgress as SentProgress,
} from "./schema.gen";

/** What JSON has no number for comes as a word. */
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

interface Question {
  tag: string;
  runs: readonly number[];
}

/** Each run at its step nearest to `step`, null at its last. */
export async function askPrCurves(
  question: Question & { step: number | null },
  signal?: AbortSignal,
): Promise<readonly PrCurve[]> {
  return (await postJson<PrCurvesAnswer>("pr_curves", question, signal)).curves.map(read);
}

export async function askPrProgress(
  question: Question,
  signal?: AbortSignal,
): Promise<readonly PrProgress[]> {
  return (await postJson<PrProgressAnswer>("pr_curves/progress", question, signal)).series.map(read);
}

const TEXTS = new Set(["key", "error"]);

function read<Body extends object>(body: Body): Read<Body> {
  const entries = Object.entries(body).map(([name, value]) => {
    if (TEXTS.has(name)) return [name, value];
    return [name, Array.isArray(value) ? value.map(Number) : Number(value)];
  });
  return Object.fromEntries(entries) as Read<Body>;
}
