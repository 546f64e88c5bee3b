/** Tags of other kinds among the charts. Fetched after the first render, since nothing waits for them. */

import { useMemo } from "react";
import type { Pattern } from "../../lib/pattern";
import { useIdleAfterFirstRender } from "../../lib/use-idle-after-first-render";
import { type TagInfo, useKinds } from "../data/lists";
import { type TagsResult, useKindTags, useLineStylesForTag } from "../runs/kind-tags";
import { useView } from "../view/view";
import { CARD_KINDS, type CardKind } from "../view/view-state";
import type { CardItem } from "./rows";

const NO_PARTS: CardItem["joined"] = [];

export interface OtherCards {
  items: readonly CardItem[];
  /** Number of tags that pass the filter, with visible runs or not. */
  matching: number;
  /** Everything has loaded. */
  loaded: boolean;
}

/** The kinds of cards that are shown: those chosen, or all. */
export function useShownKinds(): readonly CardKind[] {
  const chosen = useView((view) => view.cardKinds);
  return chosen.length === 0 ? CARD_KINDS : chosen;
}

export function useOtherCards(pattern: Pattern): OtherCards {
  const idle = useIdleAfterFirstRender();
  const shown = useShownKinds();
  const counts = useKinds(idle).data?.plugins;
  const wants = (kind: CardKind) => idle && shown.includes(kind) && (counts?.[kind] ?? 0) > 0;
  const [wantsImages, wantsHistograms] = [wants("images"), wants("histograms")];
  const images = useKindTags("images", wantsImages);
  const histograms = useKindTags("histograms", wantsHistograms);
  const lineStylesForTag = useLineStylesForTag();
  return useMemo(() => {
    const passing = [
      ...tagsOf("images", wantsImages, images, pattern),
      ...tagsOf("histograms", wantsHistograms, histograms, pattern),
    ];
    const items = passing.map(({ kind, info }): CardItem => {
      const key = `${kind} ${info.tag}`;
      return { key, kind, tag: info.tag, info, runs: lineStylesForTag(info), joined: NO_PARTS };
    });
    return {
      items: items.filter(({ runs }) => runs.length > 0),
      matching: items.length,
      loaded:
        counts !== undefined && (images.loaded || !wantsImages) && (histograms.loaded || !wantsHistograms),
    };
  }, [wantsImages, wantsHistograms, images, histograms, pattern, lineStylesForTag, counts]);
}

function tagsOf(
  kind: CardKind,
  wanted: boolean,
  { tags }: TagsResult,
  pattern: Pattern,
): { kind: CardKind; info: TagInfo }[] {
  if (!wanted) return [];
  const passing = tags.filter(
    ({ tag, display_name }) => pattern.matches(tag) || (display_name !== "" && pattern.matches(display_name)),
  );
  return passing.map((info) => ({ kind, info }));
}
