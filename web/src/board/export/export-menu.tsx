/** The export menu of many cards at once. */

import { type ComponentProps, useState } from "react";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Menu, MenuItem } from "../../ui/menu";
import { exportArchive, exportPoints } from "./actions";
import { useCards } from "./use-export-cards";

interface ExportMenuProps {
  title: string;
  tags(): readonly string[];
  button: ComponentProps<typeof Button>;
  onClose(): void;
}

export default function ExportMenu({ title, tags, button, onClose }: ExportMenuProps) {
  const say = useWords();
  const [names] = useState(tags);
  const cards = useCards(names);
  return (
    <Menu
      align="end"
      defaultOpen
      onOpenChange={(open) => !open && onClose()}
      trigger={<Button {...button} />}
    >
      <MenuItem onSelect={() => void exportArchive(cards, title)}>{say("take.zip")}</MenuItem>
      <MenuItem onSelect={() => void exportPoints(cards, title, "csv")}>{say("take.csv")}</MenuItem>
      <MenuItem onSelect={() => void exportPoints(cards, title, "json")}>{say("take.json")}</MenuItem>
    </Menu>
  );
}
