/** What can be taken away of a card of curves: its numbers as a table or as JSON, and its picture. */

import type { Domain } from "../../panels/pr_curves/points";
import type { TagInfo } from "../../state/lists";
import type { RunCurve } from "../../state/prcurves";
import { Button } from "../../widgets/button";
import { Menu, MenuItem, MenuLine } from "../../widgets/menu";
import { useWords } from "../../words/words";
import { takeCsv, takeJson, takePng, takeSvg } from "./taking";

interface TakeMenuProps {
  tag: TagInfo;
  curves: readonly RunCurve[];
  zoom: Domain | null;
}

export function TakeMenu({ tag, curves, zoom }: TakeMenuProps) {
  const say = useWords();
  return (
    <Menu
      align="end"
      trigger={
        <Button
          look="quiet"
          size="small"
          icon="more"
          label={say("card.more")}
          disabled={curves.length === 0}
        />
      }
    >
      <MenuItem onSelect={() => takeSvg(tag, curves, zoom)}>{say("take.svg")}</MenuItem>
      <MenuItem onSelect={() => void takePng(tag, curves, zoom)}>{say("take.png")}</MenuItem>
      <MenuLine />
      <MenuItem onSelect={() => takeCsv(tag, curves)}>{say("take.csv")}</MenuItem>
      <MenuItem onSelect={() => takeJson(tag, curves)}>{say("take.json")}</MenuItem>
    </Menu>
  );
}
