/** The small sheets of a card: its smoothing and ranges, the choice of a further tag, its numbers. */

import type { RefObject } from "react";
import { Sheet } from "../../widgets/sheet";
import { useWords } from "../../words/words";
import type { Figures } from "./figures";
import { Numbers } from "./numbers";
import type { Plot } from "./plot";
import { Settings } from "./settings";
import { TagChoice } from "./tag-choice";

export type SheetKind = "settings" | "tags" | "numbers";

interface CardSheetProps {
  kind: SheetKind;
  tag: string;
  plot: Plot | null;
  figures: Figures;
  anchor: RefObject<HTMLElement | null>;
  onClose(): void;
}

export default function CardSheet({ kind, tag, plot, figures, anchor, onClose }: CardSheetProps) {
  const say = useWords();
  const label = {
    settings: say("card.settingsTitle"),
    tags: say("card.addTagTitle"),
    numbers: say("numbers.title", { tag }),
  }[kind];
  // Towards the middle of the window, off the run table.
  const left = (anchor.current?.getBoundingClientRect().left ?? 0) < innerWidth / 2;
  return (
    <Sheet label={label} anchor={anchor} align={left ? "start" : "end"} onClose={onClose}>
      {kind === "settings" && <Settings tag={tag} plot={plot} />}
      {kind === "tags" && <TagChoice tag={tag} onChosen={onClose} />}
      {kind === "numbers" && <Numbers lines={plot?.lines ?? []} figures={figures} />}
    </Sheet>
  );
}
