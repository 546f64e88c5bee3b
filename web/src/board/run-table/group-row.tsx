/** The row of a folder or group: number of runs, which are visible, and their spread. */

// biome-ignore-all lint/a11y/useSemanticElements: rows that come and go as one scrolls cannot be those of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in the cells has the focus

import { memo } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Check } from "../../ui/check";
import { Icon } from "../../ui/icon";
import { RunName } from "../../ui/run-name";
import { Swatch } from "../../ui/swatch";
import { type Paint, paintColor } from "../runs/coloring";
import type { MetricValues } from "../runs/column";
import { slotDash } from "../runs/slot";
import { highlighted, hover, useInteraction } from "../view/interaction";
import { useColorScheme } from "../view/theme";
import { divergedOf, divergedText, groupCell } from "./cell-text";
import { type ColumnLayout, LOST_PX } from "./column-widths";
import style from "./group-row.module.css";
import { MenuButton, useInside } from "./menu-button";
import { menuAnchor, type RowActions } from "./row-actions";
import type { GroupRow as Row } from "./rows";
import rowStyle from "./run-row.module.css";

interface GroupRowProps {
  row: Row;
  /** Its label, abbreviated if it would look like another. */
  shown: string;
  /** Null for folders. */
  paint: Paint | null;
  on: number;
  columns: readonly ColumnLayout[];
  metrics: MetricValues;
  top: number;
  place: number;
  actions: RowActions;
}

/** Width from which on a cell has room for "3 values". */
const ROOMY_PX = 58;

export const GroupRow = memo(function GroupRow(props: GroupRowProps) {
  const { row, shown, paint, on, columns, metrics, top, place, actions } = props;
  const say = useWords();
  const scheme = useColorScheme();
  const line = row.group?.id ?? null;
  const front = useInteraction((interaction) => line !== null && highlighted(interaction) === line);
  const { inside, listeners } = useInside();
  const all = row.members.length;
  const diverged = divergedOf(row.members).length;
  const toggleName = say(row.open ? "table.foldGroup" : "table.openGroup", { group: row.label });
  return (
    <div
      role="row"
      aria-rowindex={place}
      className={`${rowStyle.row} ${style.row}`}
      style={{ top }}
      data-testid="group-row"
      data-group={row.label}
      data-count={all}
      data-front={front || undefined}
      data-off={on === 0 || undefined}
      onMouseEnter={() => hover(line, "table")}
      onMouseLeave={() => hover(null, "table")}
      {...listeners}
      onContextMenu={(event) => {
        event.preventDefault();
        actions.onGroupMenu(row, menuAnchor(event));
      }}
    >
      <div role="gridcell" className={rowStyle.lead} style={{ paddingLeft: 8 + 14 * row.depth }}>
        <label
          className={rowStyle.box}
          title={say("runs.boxTip")}
          onDoubleClick={() => actions.onOnlyGroup(row)}
        >
          <Check
            checked={on === 0 ? false : on === all ? true : "mixed"}
            aria-label={say("table.showGroup", { group: row.label })}
            onChange={() => actions.onSwitchGroup(row, on < all)}
          />
        </label>
        <button
          type="button"
          className={style.turn}
          aria-expanded={row.open}
          title={toggleName}
          onClick={() => actions.onToggle(row)}
          onKeyDown={(event) => {
            const toggles = event.key === "ArrowRight" ? !row.open : event.key === "ArrowLeft" && row.open;
            if (!toggles) return;
            event.preventDefault();
            event.stopPropagation();
            actions.onToggle(row);
          }}
          onFocus={() => hover(line, "table")}
          onBlur={() => hover(null, "table")}
        >
          <span className={style.arrow}>
            <Icon name={row.open ? "down" : "right"} size={12} />
          </span>
          {paint && (
            <Swatch
              color={paintColor(paint, scheme)}
              dash={paint.dash ?? slotDash(paint.slot)}
              off={on === 0}
            />
          )}
          <RunName className={style.name} name={shown} title={row.label} />
          {diverged === 0 && <span className={style.count}>{count(all)}</span>}
        </button>
        {diverged > 0 && (
          <button
            type="button"
            className={style.diverged}
            aria-label={divergedText(row.members)}
            title={divergedText(row.members)}
            data-testid="group-diverged"
            onClick={(event) => actions.onDiverged(row, event.currentTarget)}
          >
            <Icon name="lost" size={12} />
            {count(diverged)}
          </button>
        )}
        <MenuButton of={row.label} stop={inside} onOpen={(button) => actions.onGroupMenu(row, button)} />
      </div>
      {columns.map(({ column, px, text, apart }) => {
        const cell = groupCell(column, row.members, metrics);
        return (
          <div
            key={column.id}
            role="gridcell"
            className={text ? rowStyle.words : rowStyle.number}
            style={{ width: px }}
            data-cell={column.id}
            data-lost={cell.nonfinite || undefined}
            title={cell.full || undefined}
          >
            {px < ROOMY_PX ? cell.short : cell.text}
            {apart > 0 && (
              <span className={rowStyle.apart} style={{ width: apart }}>
                {apart < LOST_PX ? cell.shortSpread : cell.spread}
              </span>
            )}
          </div>
        );
      })}
    </div>
  );
});
