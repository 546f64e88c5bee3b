/** Loads one text. By run, tag and key it never changes, so it is fetched once. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { fetchText, type TextForm, type TextName, type TextPart, type TextValue } from "../../api/text";

export const FIRST_BYTES = 65_536;
export const MAX_BYTES = 4 << 20;

export interface TextResult {
  text: TextValue | undefined;
  error: Error | null;
  retry(): void;
}

export function useText(name: TextName | null, part: TextPart): TextResult {
  const { data, error, refetch } = useQuery({
    queryKey: ["text", name?.run, name?.tag, name?.at, part.form, part.most, part.slice],
    queryFn: ({ signal }) => fetchText(name!, part, signal),
    enabled: name !== null,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { text: name === null ? undefined : data, error, retry: () => void refetch() };
}

export const WHOLE: TextPart = { form: "raw", most: FIRST_BYTES, slice: 0 };

/** A table of texts as one text: cells separated by tabs, rows by lines. */
export function plainText({ cells, columns }: Pick<TextValue, "cells" | "columns">): string {
  const rows: string[] = [];
  const width = Math.max(1, columns);
  for (let at = 0; at < cells.length; at += width) rows.push(cells.slice(at, at + width).join("\t"));
  return rows.join("\n");
}

/** Whether it is a single text rather than a table. */
export function isSingle({ rows, columns, slices }: TextValue): boolean {
  return rows === 1 && columns === 1 && slices === 1;
}

/** Torch adds a meaningless suffix to the tag, which titles leave out. */
export function titleOf(tag: string): string {
  return tag.replace(/(.)\/text_summary$/s, "$1");
}

export type { TextForm, TextName, TextValue };
