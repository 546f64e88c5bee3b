/** Tags of kinds other than scalars, and the visible runs that have them. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { fetchKindTags } from "../../api/values";
import type { TagInfo } from "../data/lists";
import { KIND_TAGS } from "../data/values";
import { foldedParents, lineStylesForTag } from "./card-lines";
import { type LineStyle, useLineStyles } from "./line-styles";
import { useListedDetails } from "./run-details";
import { useVisibleRuns } from "./visible-runs";

const NONE: readonly TagInfo[] = [];

export interface TagsResult {
  tags: readonly TagInfo[];
  /** A response has arrived. */
  loaded: boolean;
  error: Error | null;
}

/** The tags of a kind in natural order. */
export function useKindTags(kind: string, enabled = true): TagsResult {
  const { data, error } = useQuery({
    queryKey: [KIND_TAGS, kind],
    queryFn: ({ signal }) => fetchKindTags(kind, signal),
    enabled,
    placeholderData: keepPreviousData,
  });
  return { tags: data?.tags ?? NONE, loaded: data !== undefined, error: data ? null : error };
}

/** The line styles of the visible runs that have a tag, by slot. A folded run has the style of its parent. */
export function useLineStylesForTag(): (tag: TagInfo) => readonly LineStyle[] {
  const lineStyles = useLineStyles();
  const visible = useVisibleRuns();
  const parents = foldedParents(useListedDetails());
  return useMemo(() => {
    const found = new Map<TagInfo, readonly LineStyle[]>();
    return (tag) => {
      const known = found.get(tag) ?? lineStylesForTag(tag, lineStyles, visible, parents);
      found.set(tag, known);
      return known;
    };
  }, [lineStyles, visible, parents]);
}
