/** What can be taken away of one card, as items of its menu. */

import { canCopyPictures } from "../../base/save";
import { MenuItem, MenuLine, MenuSub } from "../../widgets/menu";
import { useWords } from "../../words/words";
import { type TakenCard, tagOf } from "./card";
import { copyPng, copyTable, takePng, takePoints, takeSvg } from "./takings";
import { useCard } from "./use-card";

export default function CardItems({ tag }: { tag: string }) {
  const card = useCard(tag);
  return card && <ItemsOf card={card} />;
}

/** The same for a card that is no tag's. */
export function ItemsOf({ card }: { card: TakenCard }) {
  const say = useWords();
  const title = tagOf(card);
  return (
    <MenuSub label={say("take.title")}>
      <MenuItem onSelect={() => void takeSvg(card)}>{say("take.svg")}</MenuItem>
      <MenuItem onSelect={() => void takePng(card)}>{say("take.png")}</MenuItem>
      {canCopyPictures() && (
        <MenuItem onSelect={() => void copyPng(card)}>{say("take.copyPicture")}</MenuItem>
      )}
      <MenuLine />
      <MenuItem onSelect={() => void takePoints([card], title, "csv")}>{say("take.csv")}</MenuItem>
      <MenuItem onSelect={() => void takePoints([card], title, "json")}>{say("take.json")}</MenuItem>
      <MenuLine />
      <MenuItem onSelect={() => void copyTable(card, "markdown")}>{say("take.markdown")}</MenuItem>
      <MenuItem onSelect={() => void copyTable(card, "latex")}>{say("take.latex")}</MenuItem>
    </MenuSub>
  );
}
