/** Tags of kinds other than scalars, and the runs on show that hold them. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { askKindTags } from "../api/values";
import { runsOn, standIns } from "./drawn";
import { useListed } from "./facts";
import type { TagInfo } from "./lists";
import { type RunLook, useLooks } from "./looks";
import { useVisibleRuns } from "./visible";

export const KIND_TAGS = "kindtags";

const NONE: readonly TagInfo[] = [];

export interface KnownTags {
  tags: readonly TagInfo[];
  /** They were told. */
  known: boolean;
  error: Error | null;
}

/** Tags of a kind in natural order. */
export function useKindTags(kind: string, enabled = true): KnownTags {
  const { data, error } = useQuery({
    queryKey: [KIND_TAGS, kind],
    queryFn: ({ signal }) => askKindTags(kind, signal),
    enabled,
    placeholderData: keepPreviousData,
  });
  return { tags: data?.tags ?? NONE, known: data !== undefined, error: data ? null : error };
}

/** The runs on show that hold a tag, each for itself, by slot; a folded one in the look of the run it belongs to. */
export function useRunsOn(): (tag: TagInfo) => readonly RunLook[] {
  const looks = useLooks();
  const visible = useVisibleRuns();
  const standing = standIns(useListed());
  return useMemo(() => {
    const found = new Map<TagInfo, readonly RunLook[]>();
    return (tag) => {
      const known = found.get(tag) ?? runsOn(tag, looks, visible, standing);
      found.set(tag, known);
      return known;
    };
  }, [looks, visible, standing]);
}
