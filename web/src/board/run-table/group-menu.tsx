/** The menu of a folder or group: show alone, pin, compare, hide. */

import { useWords } from "../../i18n/words";
import { copyText } from "../../lib/clipboard";
import { MenuItem, MenuLine } from "../../ui/menu";
import { MenuAt } from "../../ui/menu-at";
import { editAnnotations } from "../data/annotations";
import type { Anchor } from "../runs/anchor";
import { notify } from "../view/notice";
import { commit, useView } from "../view/view";
import type { GroupRow } from "./rows";

interface GroupMenuProps {
  row: GroupRow;
  anchor: Anchor;
  onClose(): void;
  onOnly(): void;
}

export default function GroupMenu({ row: { label, members }, anchor, onClose, onOnly }: GroupMenuProps) {
  const say = useWords();
  const names = members.map(({ name }) => name);
  const pins = useView((view) => view.runPins);
  const pinned = names.every((name) => pins.includes(name));
  const others = pins.filter((name) => !names.includes(name));
  const putAside = (fields: { hidden: true } | { archived: true }) =>
    editAnnotations({ runs: Object.fromEntries(names.map((name) => [name, fields])) });
  return (
    <MenuAt label={say("runs.menu", { run: label })} anchor={anchor} onClose={onClose}>
      <MenuItem onSelect={onOnly}>{say("runspage.only")}</MenuItem>
      <MenuItem onSelect={() => commit({ runPins: pinned ? others : [...others, ...names] })}>
        {say(pinned ? "runs.unpin" : "runs.pin")}
      </MenuItem>
      <MenuItem disabled={names.length < 2} onSelect={() => commit({ page: "compare", compare: names })}>
        {say("runspage.compare")}
      </MenuItem>
      <MenuLine />
      <MenuItem onSelect={() => void copyText(label).then((done) => done && notify("action.copied"))}>
        {say("runs.copyName")}
      </MenuItem>
      <MenuLine />
      <MenuItem onSelect={() => putAside({ hidden: true })}>{say("runs.hide")}</MenuItem>
      <MenuItem onSelect={() => putAside({ archived: true })}>{say("runs.archive")}</MenuItem>
    </MenuAt>
  );
}
