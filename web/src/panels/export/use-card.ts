/** The cards that tags name, with what they draw now. */

import { useMemo } from "react";
import { useDrawn } from "../../state/drawn";
import { tagsOf } from "../../state/joins";
import { useTags } from "../../state/lists";
import { useView } from "../../state/view";
import type { TakenCard } from "./card";

export function useCards(tags: readonly string[]): readonly TakenCard[] {
  const all = useTags();
  const drawn = useDrawn();
  const joined = useView((view) => view.joined);
  return useMemo(() => {
    const byName = new Map(all.map((info) => [info.tag, info]));
    return tags.flatMap((tag) => {
      const card = tagsOf(joined, tag).flatMap((name) => {
        const info = byName.get(name);
        return info ? [{ tag: info, runs: drawn(info) }] : [];
      });
      return card.length > 0 ? [card] : [];
    });
  }, [tags, all, drawn, joined]);
}

/** Null if no such tag is there. */
export function useCard(tag: string): TakenCard | null {
  return useCards(useMemo(() => [tag], [tag]))[0] ?? null;
}
