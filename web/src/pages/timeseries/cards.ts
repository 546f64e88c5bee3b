/** The cards of the page: tags that pass the filter and that some run on show holds. */

import { useMemo } from "react";
import { type RunLook, type TagInfo, useLooks, useTags } from "../../state/lists";
import type { Pattern } from "../../state/pattern";
import { useVisibleRuns } from "../../state/visible";
import type { CardItem } from "./rows";

export interface Cards {
  items: readonly CardItem[];
  /** Tags that pass the filter, with runs on show or not. */
  matching: number;
}

export function useCardItems(pattern: Pattern): Cards {
  const tags = useTags();
  const looks = useLooks();
  const visible = useVisibleRuns();
  const matching = useMemo(() => tags.filter((tag) => matches(tag, pattern)), [tags, pattern]);
  const items = useMemo(
    () =>
      matching.flatMap((info): CardItem[] => {
        const runs = runsOf(info, looks, visible);
        return runs.length === 0 ? [] : [{ tag: info.tag, info, runs }];
      }),
    [matching, looks, visible],
  );
  return { items, matching: matching.length };
}

function matches(tag: TagInfo, pattern: Pattern): boolean {
  return pattern.matches(tag.tag) || (tag.display_name !== "" && pattern.matches(tag.display_name));
}

function runsOf(tag: TagInfo, looks: ReadonlyMap<number, RunLook>, visible: ReadonlySet<number>): RunLook[] {
  const runs: RunLook[] = [];
  for (const id of tag.runs) {
    const look = visible.has(id) ? looks.get(id) : undefined;
    if (look) runs.push(look);
  }
  return runs.sort((a, b) => a.slot - b.slot);
}
