/** The cards of tags, with the runs that they currently draw. */

import { useMemo } from "react";
import { useTags } from "../data/lists";
import { useCardLines } from "../runs/card-lines";
import { tagsOf } from "../view/joins";
import { useView } from "../view/view";
import type { ExportCard } from "./export-card";

export function useCards(tags: readonly string[]): readonly ExportCard[] {
  const all = useTags();
  const drawn = useCardLines();
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

/** Null if there is no such tag. */
export function useCard(tag: string): ExportCard | null {
  return useCards(useMemo(() => [tag], [tag]))[0] ?? null;
}
