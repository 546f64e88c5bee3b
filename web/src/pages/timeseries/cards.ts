/** The cards of the page: tags that pass the filter and that some run on show holds. */

import { useMemo } from "react";
import { useDrawn } from "../../state/drawn";
import { type TagInfo, useTags } from "../../state/lists";
import type { Pattern } from "../../state/pattern";
import type { CardItem } from "./rows";

export interface Cards {
  items: readonly CardItem[];
  /** Tags that pass the filter, with runs on show or not. */
  matching: number;
}

export function useCardItems(pattern: Pattern): Cards {
  const tags = useTags();
  const drawn = useDrawn();
  const matching = useMemo(() => tags.filter((tag) => matches(tag, pattern)), [tags, pattern]);
  const items = useMemo(
    () =>
      matching.flatMap((info): CardItem[] => {
        const runs = drawn(info);
        return runs.length === 0 ? [] : [{ tag: info.tag, info, runs }];
      }),
    [matching, drawn],
  );
  return { items, matching: matching.length };
}

function matches(tag: TagInfo, pattern: Pattern): boolean {
  return pattern.matches(tag.tag) || (tag.display_name !== "" && pattern.matches(tag.display_name));
}
