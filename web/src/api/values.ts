/** Values that stay in the log's files: which there are, and where each can be had. */

import { getJson, mediaUrl, postJson } from "./client";
import type { TagList, ValuePreview, ValueSeries, ValueSteps, ValuesAnswer } from "./schema.gen";

export type { ValuePreview, ValueSeries };

export interface ValuesQuestion {
  plugin: string;
  tags: readonly string[] | null;
  runs?: readonly number[] | null;
}

export const askKindTags = (kind: string, signal?: AbortSignal) =>
  getJson<TagList>(`tags?plugin=${encodeURIComponent(kind)}`, signal);

export const askValues = (question: ValuesQuestion, signal?: AbortSignal) =>
  postJson<ValuesAnswer>("values", question, signal);

/** All steps of the series, ascending. */
export const askSteps = (question: ValuesQuestion, signal?: AbortSignal) =>
  postJson<ValueSteps>("values/steps", question, signal);

/** One value: the run by its name, and the key that the list of values gave it. */
export interface ValueName {
  plugin: string;
  run: string;
  tag: string;
  at: string;
}

/** What a value of any kind holds: its form, and the first of it. */
export const askPreview = (name: ValueName, signal?: AbortSignal) =>
  getJson<ValuePreview>(`values/preview?${parameters(name)}`, signal);

/** Where the bytes of a value can be had, as they lie in the file. */
export function rawUrl(name: ValueName): string {
  return mediaUrl("values/raw", parameters(name));
}

function parameters({ plugin, run, tag, at }: ValueName): URLSearchParams {
  return new URLSearchParams({ plugin, run, tag, at });
}
