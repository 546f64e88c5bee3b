/** PR curves as the page asks for them, and the threshold that all cards mark. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { create } from "zustand";
import { askPrCurves, askPrProgress, type PrCurve, type PrProgress } from "../api/prcurves";
import { askValues } from "../api/values";
import type { RunLook } from "./looks";
import { useUnion } from "./steps";
import { VALUES } from "./values";
import { commit, useView } from "./view";

export type { PrCurve, PrProgress };

const KIND = "pr_curves";

/** A curve and how its run looks. */
export interface RunCurve {
  look: RunLook;
  curve: PrCurve;
}

export interface KnownCurves {
  /** In the order of the runs. */
  curves: readonly RunCurve[];
  known: boolean;
  /** Curves of another step stand in while these are on their way. */
  waiting: boolean;
  error: Error | null;
  retry(): void;
}

/** The curves of a tag, each at its step nearest to `step`, null at its last. */
export function useCurves(tag: string, runs: readonly RunLook[], step: number | null): KnownCurves {
  const ids = runs.map(({ id }) => id);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [VALUES, KIND, tag, step, ids],
    queryFn: ({ signal }) => askPrCurves({ tag, runs: ids, step }, signal),
    placeholderData: keepPreviousData,
  });
  const curves = useMemo(() => {
    const found = new Map(data?.map((curve) => [curve.run, curve]));
    return runs.flatMap((look) => {
      const curve = found.get(look.id);
      return curve ? [{ look, curve }] : [];
    });
  }, [data, runs]);
  return {
    curves,
    known: data !== undefined,
    waiting: isPlaceholderData,
    error: data ? null : error,
    retry: () => void refetch(),
  };
}

/** How average precision went. */
export function useProgress(tag: string, runs: readonly RunLook[]): readonly PrProgress[] {
  const ids = runs.map(({ id }) => id);
  const { data } = useQuery({
    queryKey: [VALUES, KIND, "progress", tag, ids],
    queryFn: ({ signal }) => askPrProgress({ tag, runs: ids }, signal),
    placeholderData: keepPreviousData,
  });
  return data ?? NO_PROGRESS;
}

const NO_PROGRESS: readonly PrProgress[] = [];

/** All steps at which any curve was written. */
export function useCurveSteps(): readonly number[] {
  const { data } = useQuery({
    queryKey: [VALUES, KIND],
    queryFn: ({ signal }) => askValues({ plugin: KIND, tags: null }, signal),
    placeholderData: keepPreviousData,
  });
  return useUnion(data?.series ?? NO_SERIES);
}

const NO_SERIES: readonly { steps: readonly number[] }[] = [];

/** The threshold under the pointer, on whichever card. */
export const usePointed = create<{ threshold: number | null }>()(() => ({ threshold: null }));

export function pointAt(threshold: number | null): void {
  if (usePointed.getState().threshold !== threshold) usePointed.setState({ threshold });
}

/** Marks a threshold on all cards; the same again lets it go. */
export function markThreshold(threshold: number | null): void {
  commit({ threshold: useView.getState().threshold === threshold ? null : threshold });
}

/** The threshold that all cards show: the one pointed at, else the marked one. */
export function useThreshold(): number | null {
  const pointed = usePointed((state) => state.threshold);
  const marked = useView((view) => view.threshold);
  return pointed ?? marked;
}
