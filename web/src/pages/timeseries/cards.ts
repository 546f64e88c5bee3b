/**
 * The cards of the page: tags that pass the filter and that some run on show holds, several in one where joined. Cards of
 * other kinds come later and stand behind the charts, of their section or of the page, so that these stay where they are.
 */

import { useMemo } from "react";
import type { CardPart } from "../../panels/scalars/scalar-card";
import { type Drawn, useDrawn } from "../../state/drawn";
import type { Joins } from "../../state/joins";
import { type TagInfo, useTags } from "../../state/lists";
import type { Pattern } from "../../state/pattern";
import { PINNED, type Section, sections, withLater } from "../../state/sections";
import { useView } from "../../state/view";
import { useOtherCards, useShownKinds } from "./other-kinds";
import type { CardItem } from "./rows";

export interface Cards {
  /** The pinned ones first, in the order they were put in; no filter hides them. */
  sections: readonly Section<CardItem>[];
  /** Tags that pass the filter, with runs on show or not. */
  matching: number;
  /** Cards of all kinds are here. */
  known: boolean;
}

const NO_TAGS: readonly TagInfo[] = [];

export function useCardItems(pattern: Pattern): Cards {
  const listed = useTags();
  const tags = useShownKinds().includes("scalars") ? listed : NO_TAGS;
  const others = useOtherCards(pattern);
  const drawn = useDrawn();
  const joined = useView((view) => view.joined);
  const pins = useView((view) => view.pinned);
  const all = useMemo(() => itemsOf(tags, joined, drawn), [tags, joined, drawn]);
  const matching = useMemo(() => tags.filter((tag) => matches(tag, pattern)), [tags, pattern]);
  return useMemo(() => {
    const pinned = pins.flatMap((tag) => all.find((item) => item.tag === tag) ?? []);
    const passing = matching.filter((info) => drawn(info).length > 0);
    const homes = new Map(all.flatMap((item) => tagsOf(item).map((tag) => [tag, item])));
    const passes = new Set(passing.map(({ tag }) => tag));
    const placed = withLater(sections<TagInfo | CardItem>(passing), others.items);
    const shown = placed.map(({ name, items }) => {
      const cards = items.flatMap((each) => {
        if ("kind" in each) return [each];
        const item = homes.get(each.tag);
        return item && standsFor(item, each.tag, passes) && !pins.includes(item.tag) ? [item] : [];
      });
      return { name, items: cards };
    });
    const top = { name: PINNED, items: pinned };
    return {
      sections: [top, ...shown].filter((section) => section.items.length > 0),
      matching: matching.length + others.matching,
      known: others.known,
    };
  }, [all, matching, pins, drawn, others]);
}

/** A card stands where its first tag does; if the filter leaves that out, where the first does that passes. */
function standsFor(item: CardItem, tag: string, passes: ReadonlySet<string>): boolean {
  return tagsOf(item).find((each) => passes.has(each)) === tag;
}

function tagsOf(item: CardItem): string[] {
  return [item.tag, ...item.joined.map((part) => part.tag.tag)];
}

/** A card for each tag that is not drawn in that of another, in the order of the tags. */
function itemsOf(tags: readonly TagInfo[], joined: Joins, drawn: Drawn): readonly CardItem[] {
  const byName = new Map(tags.map((tag) => [tag.tag, tag]));
  const guests = new Set(joined.flatMap((names) => names.filter((name) => byName.has(name)).slice(1)));
  return tags.flatMap((info): CardItem[] => {
    if (guests.has(info.tag)) return [];
    const home = joined.find((names) => names.includes(info.tag));
    const others = home?.flatMap((name) => (name === info.tag ? [] : (byName.get(name) ?? []))) ?? [];
    const runs = drawn(info);
    const parts = others.map((tag) => ({ tag, runs: drawn(tag) }));
    if (runs.length === 0 && parts.every((part) => part.runs.length === 0)) return [];
    const { tag } = info;
    return [{ key: tag, kind: "scalars", tag, info, runs, joined: sameParts(tag, parts) }];
  });
}

const ALONE: readonly CardPart[] = [];
const known = new Map<string, readonly CardPart[]>();

/** The same array for a card whose parts are the same: cards are drawn again for nothing less. */
function sameParts(tag: string, parts: readonly CardPart[]): readonly CardPart[] {
  if (parts.length === 0) return ALONE;
  const was = known.get(tag) ?? ALONE;
  const same =
    was.length === parts.length &&
    was.every((part, at) => part.tag === parts[at]!.tag && part.runs === parts[at]!.runs);
  if (!same) known.set(tag, parts);
  return same ? was : parts;
}

function matches(tag: TagInfo, pattern: Pattern): boolean {
  return pattern.matches(tag.tag) || (tag.display_name !== "" && pattern.matches(tag.display_name));
}
