/**
 * The one step of all pages: the pinned one of the charts, or the last where nothing is pinned. Pages of media, text
 * and histograms show it, sliders move it, and charts draw it.
 */

import { useEffect, useMemo } from "react";
import { create } from "zustand";
import { change, commit, useView } from "./view";

export interface PageStep {
  /** Null follows the end of every series. */
  step: number | null;
  /** Its place in the steps of the page, the last while it follows; −1 where there are none. */
  at: number;
  /** Shows a step; `final` once the hand is off the slider. */
  set(step: number, final?: boolean): void;
  /** Lets go: the last step of each series, also of those to come. */
  follow(): void;
}

/** The step alone, for what has no slider; null follows the end. */
export function useStep(): number | null {
  return useView((view) => view.pin?.step ?? null);
}

/** `steps` in ascending order, without repeats. */
export function usePageStep(steps: readonly number[]): PageStep {
  const step = useStep();
  const at = step === null ? steps.length - 1 : nearestAt(steps, step);
  useEffect(() => {
    useSteps.setState({ steps });
    return () => {
      if (useSteps.getState().steps === steps) useSteps.setState({ steps: NO_STEPS });
    };
  }, [steps]);
  return { step, at, set: setStep, follow };
}

const NO_STEPS: readonly number[] = [];

/** The steps of the page on screen, for keys that are pressed anywhere. */
export const useSteps = create<{ steps: readonly number[] }>()(() => ({ steps: NO_STEPS }));

export function setStep(step: number, final = true): void {
  (final ? commit : change)({ pin: { run: "", step }, range: null });
}

export function follow(): void {
  commit({ pin: null, range: null });
}

/** Moves on by so many of the page's steps; says whether there were any to move to. */
export function moveStep(by: number): boolean {
  const { steps } = useSteps.getState();
  if (steps.length === 0) return false;
  const pinned = useView.getState().pin?.step;
  const at = pinned === undefined ? steps.length - 1 : nearestAt(steps, pinned);
  const to = Math.min(steps.length - 1, Math.max(0, at + by));
  if (to !== at) setStep(steps[to]!);
  return to !== at;
}

/** All steps of several series in ascending order. */
export function useUnion(series: Iterable<{ steps: readonly number[] }>): readonly number[] {
  const text = [...new Set([...series].flatMap((each) => each.steps))].sort((a, b) => a - b).join();
  // The same array as long as the steps are the same: a slider is drawn for nothing less.
  return useMemo(() => (text === "" ? NO_STEPS : text.split(",").map(Number)), [text]);
}

/** The place of the step nearest to `step` in an ascending list, the later of two; −1 in an empty one. */
export function nearestAt(steps: readonly number[], step: number): number {
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
 * The value of a series at a step, in the order of its files: of several at one step the last; −1 in an empty one.
 * Steps of a series that was taken up again need not ascend.
 */
export function valueAt(steps: readonly number[], step: number | null): number {
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
