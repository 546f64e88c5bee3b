/**
 * The cards of the page: tags that pass the filter and have visible runs, several in one card if joined. Cards of
 * other kinds load later and are placed behind the charts of their section or the page, so that these do not move.
 */

import { useMemo } from "react";
import type { Pattern } from "../../lib/pattern";
import { appendSections, PINNED, type Section, sections } from "../cards/sections";
import { type TagInfo, useTags } from "../data/lists";
import { type CardLines, useCardLines } from "../runs/card-lines";
import type { CardPart } from "../scalars/scalar-card";
import type { Joins } from "../view/joins";
import { useView } from "../view/view";
import { useOtherCards, useShownKinds } from "./other-kinds";
import type { CardItem } from "./rows";

export interface Cards {
  /** Pinned cards first, in the order of pinning; filters do not hide them. */
  sections: readonly Section<CardItem>[];
  /** Number of tags that pass the filter, with visible runs or not. */
  matching: number;
  /** Cards of all kinds have loaded. */
  loaded: boolean;
}

const NO_TAGS: readonly TagInfo[] = [];

export function useCardItems(pattern: Pattern): Cards {
  const listed = useTags();
  const tags = useShownKinds().includes("scalars") ? listed : NO_TAGS;
  const others = useOtherCards(pattern);
  const cardLines = useCardLines();
  const joined = useView((view) => view.joined);
  const pins = useView((view) => view.pinned);
  const all = useMemo(() => itemsOf(tags, joined, cardLines), [tags, joined, cardLines]);
  const matching = useMemo(() => tags.filter((tag) => matches(tag, pattern)), [tags, pattern]);
  return useMemo(() => {
    const pinned = pins.flatMap((tag) => all.find((item) => item.tag === tag) ?? []);
    const passing = matching.filter((info) => cardLines(info).length > 0);
    const homes = new Map(all.flatMap((item) => tagsOf(item).map((tag) => [tag, item])));
    const passes = new Set(passing.map(({ tag }) => tag));
    const placed = appendSections(sections<TagInfo | CardItem>(passing), others.items);
    const shown = placed.map(({ name, items }) => {
      const cards = items.flatMap((each) => {
        if ("kind" in each) return [each];
        const item = homes.get(each.tag);
        return item && isPlacedAt(item, each.tag, passes) && !pins.includes(item.tag) ? [item] : [];
      });
      return { name, items: cards };
    });
    const top = { name: PINNED, items: pinned };
    return {
      sections: [top, ...shown].filter((section) => section.items.length > 0),
      matching: matching.length + others.matching,
      loaded: others.loaded,
    };
  }, [all, matching, pins, cardLines, others]);
}

/** A card is placed at its first tag, or at its first tag that passes the filter. */
function isPlacedAt(item: CardItem, tag: string, passes: ReadonlySet<string>): boolean {
  return tagsOf(item).find((each) => passes.has(each)) === tag;
}

function tagsOf(item: CardItem): string[] {
  return [item.tag, ...item.joined.map((part) => part.tag.tag)];
}

/** One card per tag that is not joined to another, in the order of the tags. */
function itemsOf(tags: readonly TagInfo[], joined: Joins, drawn: CardLines): readonly CardItem[] {
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

/** The same array for a card with the same parts, so that cards do not render again needlessly. */
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
