/** The popovers of a card: its smoothing and ranges, the choice of a further tag, its numbers. */

import { type RefObject, useMemo } from "react";
import { useWords } from "../../i18n/words";
import { AnchoredPopover } from "../../ui/anchored-popover";
import { pairOf } from "../cards/validation-pairs";
import { useTags } from "../data/lists";
import { mostSimilar } from "../runs/similarity";
import { join, tagsOf } from "../view/joins";
import { useView } from "../view/view";
import { Numbers } from "./numbers";
import type { Plot } from "./plot";
import type { PointCounts } from "./point-counts";
import { Settings } from "./settings";
import { TagPicker } from "./tag-picker";

export type PopoverKind = "settings" | "tags" | "numbers";

interface CardPopoverProps {
  kind: PopoverKind;
  tag: string;
  plot: Plot | null;
  figures: PointCounts;
  anchor: RefObject<HTMLElement | null>;
  onClose(): void;
}

export default function CardPopover({ kind, tag, plot, figures, anchor, onClose }: CardPopoverProps) {
  const say = useWords();
  const label = {
    settings: say("card.settingsTitle"),
    tags: say("card.addTagTitle"),
    numbers: say("numbers.title", { tag }),
  }[kind];
  // Open towards the middle of the window, away from the run table.
  const left = (anchor.current?.getBoundingClientRect().left ?? 0) < innerWidth / 2;
  return (
    <AnchoredPopover label={label} anchor={anchor} align={left ? "start" : "end"} onClose={onClose}>
      {kind === "settings" && <Settings tag={tag} plot={plot} repeats={figures.repeats} />}
      {kind === "tags" && <TagChoice tag={tag} onChosen={onClose} />}
      {kind === "numbers" && <Numbers lines={plot?.lines ?? []} figures={figures} />}
    </AnchoredPopover>
  );
}

const MAX_ALIKE = 8;

function TagChoice({ tag, onChosen }: { tag: string; onChosen(): void }) {
  const say = useWords();
  const own = tagsOf(
    useView((view) => view.joined),
    tag,
  );
  const all = useTags();
  const names = useMemo(() => all.map((each) => each.tag).filter((name) => !own.includes(name)), [all, own]);
  const first = useMemo(() => near(tag, names), [tag, names]);
  return (
    <TagPicker
      label={say("card.addTagTitle")}
      names={names}
      first={first}
      onPick={(name) => {
        join(tag, name);
        onChosen();
      }}
    />
  );
}

/** The validation partner, then the most similar tags. */
function near(tag: string, names: readonly string[]): readonly string[] {
  const partner = pairOf(tag, names);
  const alike = mostSimilar(tag, names, MAX_ALIKE).filter((name) => name !== partner);
  return partner === null ? alike : [partner, ...alike];
}
