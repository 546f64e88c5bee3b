/** Histogram maps for cards; those on screen are fetched again when the logs change. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import {
  fetchHistogram,
  fetchHistograms,
  type HistogramMap,
  type HistogramName,
  type HistogramResponse,
  type MapRequest,
} from "../../api/histograms";
import { queries } from "../data/lists";
import { VALUES } from "../data/values";

export { type HistogramBlock, QUANTILES, seriesUrl } from "../../api/histograms";
export type { HistogramMap, HistogramName, HistogramResponse, MapRequest };

export interface HistogramMapResult {
  map: HistogramMap | null;
  error: Error | null;
  /** The map belongs to an earlier request. */
  stale: boolean;
  retry(): void;
}

/** Null fetches nothing, while the size is unknown. */
export function useHistogramMap(request: MapRequest | null): HistogramMapResult {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [VALUES, "histograms", request?.tag, "map", request],
    queryFn: ({ signal }) => fetchHistograms(request!, signal),
    enabled: request !== null,
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
    queryFn: ({ signal }: { signal: AbortSignal }) => fetchHistogram(name, signal),
  };
}

/** Every bucket of one histogram; null fetches nothing. */
export function useHistogram(name: HistogramName | null): HistogramResponse | null {
  const requested = name ?? { run: "", tag: "", step: 0 };
  return useQuery({ ...oneQuery(requested), enabled: name !== null }).data ?? null;
}

/** The same from the cache; null if it is not there. */
export function knownHistogram(name: HistogramName): HistogramResponse | null {
  return queries.getQueryData<HistogramResponse>(oneQuery(name).queryKey) ?? null;
}

/** The map for an export: from the cache, or fetched. */
export function loadHistogramMap(request: MapRequest): Promise<HistogramMap> {
  return fetchHistograms(request);
}
