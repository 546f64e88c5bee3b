/** Values that stay in the log files: their list, and their URLs. */

import { getJson, mediaUrl, postJson } from "./client";
import type { TagList, ValuePreview, ValueSeries, ValueSteps, ValuesResponse } from "./schema.gen";

export type { ValuePreview, ValueSeries };

export interface ValuesRequest {
  plugin: string;
  tags: readonly string[] | null;
  runs?: readonly number[] | null;
}

export const fetchKindTags = (kind: string, signal?: AbortSignal) =>
  getJson<TagList>(`tags?plugin=${encodeURIComponent(kind)}`, signal);

export const fetchValues = (request: ValuesRequest, signal?: AbortSignal) =>
  postJson<ValuesResponse>("values", request, signal);

/** All steps of the series, ascending. */
export const fetchSteps = (request: ValuesRequest, signal?: AbortSignal) =>
  postJson<ValueSteps>("values/steps", request, signal);

/** One value: the name of the run, and the key from the list of values. */
export interface ValueName {
  plugin: string;
  run: string;
  tag: string;
  at: string;
}

/** A preview of a value of any kind: its shape, and the first numbers. */
export const fetchPreview = (name: ValueName, signal?: AbortSignal) =>
  getJson<ValuePreview>(`values/preview?${parameters(name)}`, signal);

/** URL of the bytes of a value, as in the file. */
export function rawUrl(name: ValueName): string {
  return mediaUrl("values/raw", parameters(name));
}

function parameters({ plugin, run, tag, at }: ValueName): URLSearchParams {
  return new URLSearchParams({ plugin, run, tag, at });
}
