/**
 * The step shown on all pages: the pinned step of the charts, or the last one. Pages of media, text and histograms
 * show it, sliders move it, and charts draw it.
 */

import { useEffect, useMemo } from "react";
import { create } from "zustand";
import { change, commit, useView } from "./view";

export interface PageStep {
  /** Null follows the last step of each series. */
  step: number | null;
  /** Its index in the steps of the page, the last one while following; −1 if there are no steps. */
  at: number;
  /** Shows a step; `final` when the slider is released. */
  set(step: number, final?: boolean): void;
  /** Follows the last step of each series from now on. */
  follow(): void;
}

/** The step, for components without a slider; null follows the end. */
export function useStep(): number | null {
  return useView((view) => view.pin?.step ?? null);
}

/** `steps` in ascending order, without repeats. */
export function usePageStep(steps: readonly number[]): PageStep {
  const step = useStep();
  const at = step === null ? steps.length - 1 : nearestStepIndex(steps, step);
  useEffect(() => {
    useSteps.setState({ steps });
    return () => {
      if (useSteps.getState().steps === steps) useSteps.setState({ steps: NO_STEPS });
    };
  }, [steps]);
  return { step, at, set: setStep, follow: followLastStep };
}

const NO_STEPS: readonly number[] = [];

/** The steps of the current page, for keys that work everywhere. */
export const useSteps = create<{ steps: readonly number[] }>()(() => ({ steps: NO_STEPS }));

export function setStep(step: number, final = true): void {
  (final ? commit : change)({ pin: { run: "", step }, range: null });
}

export function followLastStep(): void {
  commit({ pin: null, range: null });
}

/** Moves by a number of the page's steps. Returns whether the step changed. */
export function moveStep(by: number): boolean {
  const { steps } = useSteps.getState();
  if (steps.length === 0) return false;
  const pinned = useView.getState().pin?.step;
  const at = pinned === undefined ? steps.length - 1 : nearestStepIndex(steps, pinned);
  const to = Math.min(steps.length - 1, Math.max(0, at + by));
  if (to !== at) setStep(steps[to]!);
  return to !== at;
}

/** All steps of several series in ascending order. */
export function useStepUnion(series: Iterable<{ steps: readonly number[] }>): readonly number[] {
  const text = [...new Set([...series].flatMap((each) => each.steps))].sort((a, b) => a - b).join();
  // The same array until the steps change, so that the slider does not render again.
  return useMemo(() => (text === "" ? NO_STEPS : text.split(",").map(Number)), [text]);
}

/** The index of the step nearest to `step` in an ascending list, the later of two; −1 for an empty list. */
export function nearestStepIndex(steps: readonly number[], step: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle]! < step) low = middle + 1;
    else high = middle;
  }
  if (low === steps.length) return steps.length - 1;
  return low > 0 && step - steps[low - 1]! < steps[low]! - step ? low - 1 : low;
}

/**
 * The index of the value of a series at a step, the last of several at one step; −1 if there are no values. Steps
 * need not ascend: a restart goes back.
 */
export function valueIndexAt(steps: readonly number[], step: number | null): number {
  if (step === null) return steps.length - 1;
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  steps.forEach((each, at) => {
    const apart = Math.abs(each - step);
    if (apart > least) return;
    best = at;
    least = apart;
  });
  return best;
}
