/** Queries of PR curves, and the threshold that all cards mark. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { create } from "zustand";
import { fetchPrCurves, fetchPrProgress, type PrCurve, type PrProgress } from "../../api/pr-curves";
import { fetchValues } from "../../api/values";
import { VALUES } from "../data/values";
import type { LineStyle } from "../runs/line-styles";
import { useStepUnion } from "../view/steps";
import { commit, useView } from "../view/view";

export type { PrCurve, PrProgress };

const KIND = "pr_curves";

/** A curve and the style of its run. */
export interface RunCurve {
  lineStyle: LineStyle;
  curve: PrCurve;
}

export interface CurvesResult {
  /** In the order of the runs. */
  curves: readonly RunCurve[];
  loaded: boolean;
  /** Curves of another step stand in while these load. */
  stale: boolean;
  error: Error | null;
  retry(): void;
}

/** The curves of a tag, each at its step nearest to `step`; at its last step for null. */
export function useCurves(tag: string, runs: readonly LineStyle[], step: number | null): CurvesResult {
  const ids = runs.map(({ id }) => id);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [VALUES, KIND, tag, step, ids],
    queryFn: ({ signal }) => fetchPrCurves({ tag, runs: ids, step }, signal),
    placeholderData: keepPreviousData,
  });
  const curves = useMemo(() => {
    const found = new Map(data?.map((curve) => [curve.run, curve]));
    return runs.flatMap((lineStyle) => {
      const curve = found.get(lineStyle.id);
      return curve ? [{ lineStyle, curve }] : [];
    });
  }, [data, runs]);
  return {
    curves,
    loaded: data !== undefined,
    stale: isPlaceholderData,
    error: data ? null : error,
    retry: () => void refetch(),
  };
}

/** Average precision over the steps. */
export function useProgress(tag: string, runs: readonly LineStyle[]): readonly PrProgress[] {
  const ids = runs.map(({ id }) => id);
  const { data } = useQuery({
    queryKey: [VALUES, KIND, "progress", tag, ids],
    queryFn: ({ signal }) => fetchPrProgress({ tag, runs: ids }, signal),
    placeholderData: keepPreviousData,
  });
  return data ?? NO_PROGRESS;
}

const NO_PROGRESS: readonly PrProgress[] = [];

/** All steps that have a curve. */
export function useCurveSteps(): readonly number[] {
  const { data } = useQuery({
    queryKey: [VALUES, KIND],
    queryFn: ({ signal }) => fetchValues({ plugin: KIND, tags: null }, signal),
    placeholderData: keepPreviousData,
  });
  return useStepUnion(data?.series ?? NO_SERIES);
}

const NO_SERIES: readonly { steps: readonly number[] }[] = [];

/** The threshold under the pointer, on any card. */
export const usePointed = create<{ threshold: number | null }>()(() => ({ threshold: null }));

export function pointAt(threshold: number | null): void {
  if (usePointed.getState().threshold !== threshold) usePointed.setState({ threshold });
}

/** Marks a threshold on all cards; marking it again clears it. */
export function markThreshold(threshold: number | null): void {
  commit({ threshold: useView.getState().threshold === threshold ? null : threshold });
}

/** The threshold that all cards show: the one under the pointer, otherwise the marked one. */
export function useThreshold(): number | null {
  const pointed = usePointed((state) => state.threshold);
  const marked = useView((view) => view.threshold);
  return pointed ?? marked;
}
