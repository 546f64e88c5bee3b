/** Exports of one card, as items of its menu. */

import { useWords } from "../../i18n/words";
import { canCopyPictures } from "../../lib/download";
import { MenuItem, MenuLine, MenuSub } from "../../ui/menu";
import { copyPng, copyTable, exportPng, exportPoints, exportSvg } from "./actions";
import { type ExportCard, tagOf } from "./export-card";
import { useCard } from "./use-export-cards";

export default function CardItems({ tag }: { tag: string }) {
  const card = useCard(tag);
  return card && <ExportItems card={card} />;
}

/** The same for a card that does not belong to one tag. */
export function ExportItems({ card }: { card: ExportCard }) {
  const say = useWords();
  const title = tagOf(card);
  return (
    <MenuSub label={say("take.title")}>
      <MenuItem onSelect={() => void exportSvg(card)}>{say("take.svg")}</MenuItem>
      <MenuItem onSelect={() => void exportPng(card)}>{say("take.png")}</MenuItem>
      {canCopyPictures() && (
        <MenuItem onSelect={() => void copyPng(card)}>{say("take.copyPicture")}</MenuItem>
      )}
      <MenuLine />
      <MenuItem onSelect={() => void exportPoints([card], title, "csv")}>{say("take.csv")}</MenuItem>
      <MenuItem onSelect={() => void exportPoints([card], title, "json")}>{say("take.json")}</MenuItem>
      <MenuLine />
      <MenuItem onSelect={() => void copyTable(card, "markdown")}>{say("take.markdown")}</MenuItem>
      <MenuItem onSelect={() => void copyTable(card, "latex")}>{say("take.latex")}</MenuItem>
    </MenuSub>
  );
}
