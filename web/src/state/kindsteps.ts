/** All steps at which the runs on show hold something of a kind, whether their cards are built yet or not. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { askSteps } from "../api/values";
import { useKindTags, useRunsOn } from "./kindtags";
import type { RunLook } from "./looks";
import { useUnion } from "./steps";
import { VALUES } from "./values";

const NONE: readonly number[] = [];

/** Runs on show that hold something of a kind, by id. */
export function useKindLooks(kind: string): ReadonlyMap<number, RunLook> {
  const { tags } = useKindTags(kind);
  const runsOn = useRunsOn();
  return useMemo(
    () => new Map(tags.flatMap((tag) => runsOn(tag).map((look) => [look.id, look] as const))),
    [tags, runsOn],
  );
}

export function useKindSteps(kind: string, looks: ReadonlyMap<number, RunLook>): readonly number[] {
  const runs = useMemo(() => [...looks.keys()].sort((a, b) => a - b), [looks]);
  const { data } = useQuery({
    queryKey: [VALUES, kind, "steps", runs.join()],
    queryFn: ({ signal }) => askSteps({ plugin: kind, tags: null, runs }, signal),
    enabled: runs.length > 0,
    placeholderData: keepPreviousData,
  });
  return useUnion(useMemo(() => [{ steps: data?.steps ?? NONE }], [data]));
}
