/** What each card draws: the runs on show that hold its tag. */

import { useMemo, useRef } from "react";
import type { TagInfo } from "./lists";
import { type RunLook, sameItems, useLooks } from "./looks";
import { useVisibleRuns } from "./visible";

/** The looks a card of a tag draws, by slot. The same array as long as they are the same. */
export type Drawn = (tag: TagInfo) => readonly RunLook[];

export function useDrawn(): Drawn {
  const looks = useLooks();
  const visible = useVisibleRuns();
  const before = useRef(new Map<string, readonly RunLook[]>());
  return useMemo(() => {
    const found = new Map<TagInfo, readonly RunLook[]>();
    return (tag) => {
      const known = found.get(tag);
      if (known) return known;
      const fresh = runsOf(tag, looks, visible);
      const was = before.current.get(tag.tag);
      const drawn = was && sameItems(was, fresh) ? was : fresh;
      found.set(tag, drawn);
      before.current.set(tag.tag, drawn);
      return drawn;
    };
  }, [looks, visible]);
}

function runsOf(tag: TagInfo, looks: ReadonlyMap<number, RunLook>, visible: ReadonlySet<number>): RunLook[] {
  const runs: RunLook[] = [];
  for (const id of tag.runs) {
    const look = visible.has(id) ? looks.get(id) : undefined;
    if (look) runs.push(look);
  }
  return runs.sort((a, b) => a.slot - b.slot);
}
