/** Captures of profilers, and the steps in them, which other pages lead to. */

import { useQueries } from "@tanstack/react-query";
import {
  type CaptureInfo,
  type CaptureName,
  fetchCaptures,
  fetchStep,
  type ProfileStep,
} from "../../api/profiles";
import type { Span } from "../view/view-codec";
import { type RunNameOf, useListed } from "./listed";

const KIND = "profiles";
/** Captures of a run in which a step is looked for, the newest first. */
const MOST_CAPTURES = 4;
/** Around a step, as part of its time. */
const ROOM = 0.05;

/** A capture, and the name of its run; empty if it has none. */
export interface RunCapture extends CaptureInfo {
  runName: string;
}

function namedCaptures(infos: readonly CaptureInfo[], nameOf: RunNameOf): readonly RunCapture[] {
  return infos.map((info) => ({ ...info, runName: info.run === null ? "" : (nameOf(info.run) ?? "") }));
}

export function useCaptures(enabled = true) {
  const { rows: captures, error, retry } = useListed(KIND, fetchCaptures, namedCaptures, enabled);
  return { captures, error, retry };
}

export function captureName({ name, at }: CaptureInfo): CaptureName {
  return { capture: name, at };
}

/** Whether a capture says where time goes, and not only what is in memory. */
export function hasSlices({ format }: CaptureInfo): boolean {
  return format !== "torch_memory" && format !== "pprof_memory";
}

/** The newest capture of a run that has a step, and when the step is in it; null if none has. Inferred steps have numbers of their own. */
export function useCapturedStep(run: string, step: number | null): { capture: string; span: Span } | null {
  const isAsked = run !== "" && step !== null && Number.isInteger(step);
  const { captures } = useCaptures(isAsked);
  const asked = (captures ?? [])
    .filter((each) => isAsked && each.runName === run && hasSlices(each))
    .sort((a, b) => b.wall - a.wall)
    .slice(0, MOST_CAPTURES);
  const answers = useQueries({
    queries: asked.map((each) => ({
      queryKey: [KIND, "step", captureName(each), step],
      queryFn: ({ signal }: { signal: AbortSignal }) => fetchStep(captureName(each), step!, signal),
      retry: false,
    })),
  });
  for (const [at, { data }] of answers.entries()) {
    const span = stepSpan(data?.steps ?? []);
    if (span) return { capture: asked[at]!.name, span };
  }
  return null;
}

/** From the first beginning to the last end of the same step on several hosts; null if there is none. */
export function stepSpan(steps: readonly ProfileStep[]): Span | null {
  const seen = new Map<string, ProfileStep>();
  for (const step of steps) {
    const host = `${step.rank} ${step.host}`;
    if (!step.inferred && !seen.has(host)) seen.set(host, step);
  }
  const first = [...seen.values()];
  if (first.length === 0) return null;
  return [
    Math.min(...first.map(({ start_us }) => start_us)),
    Math.max(...first.map(({ start_us, duration_us }) => start_us + duration_us)),
  ];
}

/** What the time line shows of a step: a little more than it. */
export function windowAround([begin, end]: Span): Span {
  const room = (end - begin) * ROOM;
  return [Math.max(0, begin - room), end + room];
}
