/** What can be taken away of many cards at once. */

import { type ComponentProps, useState } from "react";
import { Button } from "../../widgets/button";
import { Menu, MenuItem } from "../../widgets/menu";
import { useWords } from "../../words/words";
import { takeArchive, takePoints } from "./takings";
import { useCards } from "./use-card";

interface CardsMenuProps {
  title: string;
  tags(): readonly string[];
  button: ComponentProps<typeof Button>;
  onClose(): void;
}

export default function CardsMenu({ title, tags, button, onClose }: CardsMenuProps) {
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
      <MenuItem onSelect={() => void takeArchive(cards, title)}>{say("take.zip")}</MenuItem>
      <MenuItem onSelect={() => void takePoints(cards, title, "csv")}>{say("take.csv")}</MenuItem>
      <MenuItem onSelect={() => void takePoints(cards, title, "json")}>{say("take.json")}</MenuItem>
    </Menu>
  );
}
