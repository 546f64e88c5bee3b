/** All steps at which visible runs have values of a kind, whether their cards are mounted or not. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { fetchSteps } from "../../api/values";
import { VALUES } from "../data/values";
import { useKindTags, useLineStylesForTag } from "../runs/kind-tags";
import type { LineStyle } from "../runs/line-styles";
import { useStepUnion } from "../view/steps";

const NONE: readonly number[] = [];

/** Visible runs with values of a kind, by id. */
export function useKindStyles(kind: string): ReadonlyMap<number, LineStyle> {
  const { tags } = useKindTags(kind);
  const runsOn = useLineStylesForTag();
  return useMemo(
    () => new Map(tags.flatMap((tag) => runsOn(tag).map((lineStyle) => [lineStyle.id, lineStyle] as const))),
    [tags, runsOn],
  );
}

export function useKindSteps(kind: string, lineStyles: ReadonlyMap<number, LineStyle>): readonly number[] {
  const runs = useMemo(() => [...lineStyles.keys()].sort((a, b) => a - b), [lineStyles]);
  const { data } = useQuery({
    queryKey: [VALUES, kind, "steps", runs.join()],
    queryFn: ({ signal }) => fetchSteps({ plugin: kind, tags: null, runs }, signal),
    enabled: runs.length > 0,
    placeholderData: keepPreviousData,
  });
  return useStepUnion(useMemo(() => [{ steps: data?.steps ?? NONE }], [data]));
}
