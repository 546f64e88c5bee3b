/** Texts: one value for display, one string for export, and a search. */

import { getJson, mediaUrl, postJson } from "./client";
import type { TextHit, TextMark, TextSearchResponse, TextValue } from "./schema.gen";
import type { ValueName } from "./values";

export type { TextHit, TextMark, TextSearchResponse, TextValue };

export type TextForm = "raw" | "markdown";

/** The name of a text without its kind. */
export type TextName = Omit<ValueName, "plugin">;

export interface TextPart {
  form: TextForm;
  /** Maximum bytes; the server returns at most 4 MiB, and less for Markdown. */
  most: number;
  /** Which table, if the value is a stack of tables. */
  slice: number;
}

export const fetchText = (
  { run, tag, at }: TextName,
  { form, most, slice }: TextPart,
  signal?: AbortSignal,
) =>
  getJson<TextValue>(
    `text/value?${new URLSearchParams({ run, tag, at, form, most: String(most), slice: String(slice) })}`,
    signal,
  );

/** URL of a complete string of a text, as a file. */
export function textUrl({ run, tag, at }: TextName, cell = 0): string {
  return mediaUrl("text/data", new URLSearchParams({ run, tag, at, cell: String(cell), save: "true" }));
}

export interface TextRequest {
  pattern: string;
  regex: boolean;
  tags: readonly string[] | null;
  runs: readonly number[] | null;
  after: TextMark | null;
}

/** Searches for a moment; continue from `last` of the response. */
export const searchTexts = (request: TextRequest, signal?: AbortSignal) =>
  postJson<TextSearchResponse>("text/search", request, signal);
