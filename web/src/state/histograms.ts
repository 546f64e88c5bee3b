/** Maps of histograms for cards: asked again when the logs change, if they are on screen. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import {
  askHistogram,
  askHistograms,
  type HistogramAnswer,
  type HistogramMap,
  type HistogramName,
  type MapQuestion,
} from "../api/histograms";
import { queries } from "./lists";
import { VALUES } from "./values";

export { type HistogramBlock, QUANTILES, seriesUrl } from "../api/histograms";
export type { HistogramAnswer, HistogramMap, HistogramName, MapQuestion };

export interface KnownMap {
  map: HistogramMap | null;
  error: Error | null;
  /** What is shown is of another question. */
  stale: boolean;
  retry(): void;
}

/** Null asks nothing, as long as the size is not known. */
export function useHistogramMap(question: MapQuestion | null): KnownMap {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [VALUES, "histograms", question?.tag, "map", question],
    queryFn: ({ signal }) => askHistograms(question!, signal),
    enabled: question !== null,
    placeholderData: keepPreviousData,
  });
  return {
    map: data ?? null,
    error: data ? null : error,
    stale: isPlaceholderData,
    retry: () => void refetch(),
  };
}

function oneQuery(name: HistogramName) {
  return {
    queryKey: [VALUES, "histograms", name.tag, "one", name.run, name.step],
    queryFn: ({ signal }: { signal: AbortSignal }) => askHistogram(name, signal),
  };
}

/** Every bucket of one histogram; null asks nothing. */
export function useHistogram(name: HistogramName | null): HistogramAnswer | null {
  const asked = name ?? { run: "", tag: "", step: 0 };
  return useQuery({ ...oneQuery(asked), enabled: name !== null }).data ?? null;
}

/** The same, if it is here already. */
export function knownHistogram(name: HistogramName): HistogramAnswer | null {
  return queries.getQueryData<HistogramAnswer>(oneQuery(name).queryKey) ?? null;
}

/** The map for a picture, at once or when it comes. */
export function fetchHistograms(question: MapQuestion): Promise<HistogramMap> {
  return askHistograms(question);
}
