/** Tags of other kinds that stand among the charts. Asked for when the first charts rest: nothing waits for them. */

import { useMemo } from "react";
import { type KnownTags, useKindTags, useRunsOn } from "../../state/kindtags";
import { type TagInfo, useKinds } from "../../state/lists";
import type { Pattern } from "../../state/pattern";
import { useRested } from "../../state/rested";
import { useView } from "../../state/view";
import { CARD_KINDS, type CardKind } from "../../state/viewstate";
import type { CardItem } from "./rows";

const NO_PARTS: CardItem["joined"] = [];

export interface OtherCards {
  items: readonly CardItem[];
  /** Tags that pass the filter, with runs on show or not. */
  matching: number;
  /** All that will come is here. */
  known: boolean;
}

/** The kinds of cards that are shown: those chosen, or all. */
export function useShownKinds(): readonly CardKind[] {
  const chosen = useView((view) => view.cardKinds);
  return chosen.length === 0 ? CARD_KINDS : chosen;
}

export function useOtherCards(pattern: Pattern): OtherCards {
  const rested = useRested();
  const shown = useShownKinds();
  const counts = useKinds(rested).data?.plugins;
  const wants = (kind: CardKind) => rested && shown.includes(kind) && (counts?.[kind] ?? 0) > 0;
  const [asksImages, asksHistograms] = [wants("images"), wants("histograms")];
  const images = useKindTags("images", asksImages);
  const histograms = useKindTags("histograms", asksHistograms);
  const runsOn = useRunsOn();
  return useMemo(() => {
    const passing = [
      ...tagsOf("images", asksImages, images, pattern),
      ...tagsOf("histograms", asksHistograms, histograms, pattern),
    ];
    const items = passing.map(({ kind, info }): CardItem => {
      const key = `${kind} ${info.tag}`;
      return { key, kind, tag: info.tag, info, runs: runsOn(info), joined: NO_PARTS };
    });
    return {
      items: items.filter(({ runs }) => runs.length > 0),
      matching: items.length,
      known: counts !== undefined && (images.known || !asksImages) && (histograms.known || !asksHistograms),
    };
  }, [asksImages, asksHistograms, images, histograms, pattern, runsOn, counts]);
}

function tagsOf(
  kind: CardKind,
  asked: boolean,
  { tags }: KnownTags,
  pattern: Pattern,
): { kind: CardKind; info: TagInfo }[] {
  if (!asked) return [];
  const passing = tags.filter(
    ({ tag, display_name }) => pattern.matches(tag) || (display_name !== "" && pattern.matches(display_name)),
  );
  return passing.map((info) => ({ kind, info }));
}
