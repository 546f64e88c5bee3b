/** The menu of a column: sort, move, colour by, group by, remove. */

import { useWords } from "../../i18n/words";
import { MenuItem, MenuLine } from "../../ui/menu";
import { MenuAt } from "../../ui/menu-at";
import type { Anchor } from "../runs/anchor";
import type { Column } from "../runs/column";
import { moveColumn, toggleColumn } from "../runs/table-columns";
import { commit, useView } from "../view/view";
import { headText } from "./cell-text";
import { newGrouping } from "./grouping";

interface ColumnMenuProps {
  column: Column;
  all: readonly Column[];
  anchor: Anchor;
  onClose(): void;
}

export default function ColumnMenu({ column, all, anchor, onClose }: ColumnMenuProps) {
  const say = useWords();
  const { id } = column;
  const sort = useView((view) => view.sort);
  const grouping = useView((view) => view.grouping);
  const place = all.findIndex((each) => each.id === id);
  return (
    <MenuAt
      label={say("table.columnMenu", { column: headText(column).full })}
      anchor={anchor}
      onClose={onClose}
    >
      <MenuItem onSelect={() => commit({ sort: [{ column: id, down: false }] })}>
        {say("table.sortUp")}
      </MenuItem>
      <MenuItem onSelect={() => commit({ sort: [{ column: id, down: true }] })}>
        {say("table.sortDown")}
      </MenuItem>
      {sort.some((each) => each.column === id) && (
        <MenuItem onSelect={() => commit({ sort: sort.filter((each) => each.column !== id) })}>
          {say("table.sortNone")}
        </MenuItem>
      )}
      <MenuLine />
      {column.kind !== "info" && (
        <MenuItem onSelect={() => commit({ colorBy: id })}>{say("table.colorByIt")}</MenuItem>
      )}
      {column.kind === "config" && (
        <MenuItem onSelect={() => commit({ grouping: newGrouping(id, grouping) })}>
          {say("table.groupByIt")}
        </MenuItem>
      )}
      {column.kind !== "info" && <MenuLine />}
      <MenuItem disabled={place <= 0} onSelect={() => moveColumn(all, id, place - 1)}>
        {say("table.moveLeft")}
      </MenuItem>
      <MenuItem disabled={place >= all.length - 1} onSelect={() => moveColumn(all, id, place + 1)}>
        {say("table.moveRight")}
      </MenuItem>
      <MenuItem disabled={all.length < 2} onSelect={() => toggleColumn(all, id)}>
        {say("table.removeColumn")}
      </MenuItem>
    </MenuAt>
  );
}
