/** Texts: one value to look at, one string to take away, and a search over all of them. */

import { getJson, mediaUrl, postJson } from "./client";
import type { TextFound, TextHit, TextMark, TextValue } from "./schema.gen";
import type { ValueName } from "./values";

export type { TextFound, TextHit, TextMark, TextValue };

export type TextForm = "raw" | "markdown";

/** Which text, without its kind. */
export type TextName = Omit<ValueName, "plugin">;

export interface TextPart {
  form: TextForm;
  /** Bytes; the server gives no more than 4 MiB, and less of Markdown. */
  most: number;
  /** Which table of a pile of them. */
  slice: number;
}

export const askText = ({ run, tag, at }: TextName, { form, most, slice }: TextPart, signal?: AbortSignal) =>
  getJson<TextValue>(
    `text/value?${new URLSearchParams({ run, tag, at, form, most: String(most), slice: String(slice) })}`,
    signal,
  );

/** Where a string of a text is to be had whole, as a file. */
export function textUrl({ run, tag, at }: TextName, cell = 0): string {
  return mediaUrl("text/data", new URLSearchParams({ run, tag, at, cell: String(cell), save: "true" }));
}

export interface TextQuestion {
  pattern: string;
  regex: boolean;
  tags: readonly string[] | null;
  runs: readonly number[] | null;
  after: TextMark | null;
}

/** As much as is found in a moment; `last` of the answer is where to go on. */
export const searchTexts = (question: TextQuestion, signal?: AbortSignal) =>
  postJson<TextFound>("text/search", question, signal);
