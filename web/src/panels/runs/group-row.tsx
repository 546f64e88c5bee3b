/** The row of a folder or of a group: how many runs, which of them are on, and how their values spread. */

// biome-ignore-all lint/a11y/useSemanticElements: rows that come and go as one scrolls cannot be those of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in the cells has the focus

import { memo } from "react";
import { type Paint, paintColor } from "../../state/coloring";
import type { MetricValues } from "../../state/column";
import { highlighted, hover, useScene } from "../../state/scene";
import { slotDash } from "../../state/slot";
import { useShade } from "../../state/theme";
import { Check } from "../../widgets/check";
import { Icon } from "../../widgets/icon";
import { RunName } from "../../widgets/run-name";
import { Swatch } from "../../widgets/swatch";
import { count } from "../../words/format";
import { useWords } from "../../words/words";
import { menuAnchor, type RowActs } from "./acts";
import { groupCell } from "./cell-text";
import style from "./group-row.module.css";
import { MenuButton, useInside } from "./menu-button";
import type { GroupRow as Row } from "./rows";
import rowStyle from "./run-row.module.css";
import type { Laid } from "./widths";

interface GroupRowProps {
  row: Row;
  /** Its label, with less of each part where it would read as another. */
  shown: string;
  /** Null for folders. */
  paint: Paint | null;
  on: number;
  columns: readonly Laid[];
  metrics: MetricValues;
  top: number;
  place: number;
  acts: RowActs;
}

/** From here on a cell has room for "3 values". */
const ROOMY_PX = 58;

export const GroupRow = memo(function GroupRow(props: GroupRowProps) {
  const { row, shown, paint, on, columns, metrics, top, place, acts } = props;
  const say = useWords();
  const shade = useShade();
  const line = row.group?.id ?? null;
  const front = useScene((scene) => line !== null && highlighted(scene) === line);
  const { inside, listeners } = useInside();
  const all = row.members.length;
  const turnName = say(row.open ? "table.foldGroup" : "table.openGroup", { group: row.label });
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
        acts.onGroupMenu(row, menuAnchor(event));
      }}
    >
      <div role="gridcell" className={rowStyle.lead} style={{ paddingLeft: 8 + 14 * row.depth }}>
        <label
          className={rowStyle.box}
          title={say("runs.boxTip")}
          onDoubleClick={() => acts.onOnlyGroup(row)}
        >
          <Check
            checked={on === 0 ? false : on === all ? true : "mixed"}
            aria-label={say("table.showGroup", { group: row.label })}
            onChange={() => acts.onSwitchGroup(row, on < all)}
          />
        </label>
        <button
          type="button"
          className={style.turn}
          aria-expanded={row.open}
          title={turnName}
          onClick={() => acts.onTurn(row)}
          onKeyDown={(event) => {
            const turns = event.key === "ArrowRight" ? !row.open : event.key === "ArrowLeft" && row.open;
            if (!turns) return;
            event.preventDefault();
            event.stopPropagation();
            acts.onTurn(row);
          }}
          onFocus={() => hover(line, "table")}
          onBlur={() => hover(null, "table")}
        >
          <span className={style.arrow}>
            <Icon name={row.open ? "down" : "right"} size={12} />
          </span>
          {paint && (
            <Swatch
              color={paintColor(paint, shade)}
              dash={paint.dash ?? slotDash(paint.slot)}
              off={on === 0}
            />
          )}
          <RunName className={style.name} name={shown} title={row.label} />
          <span className={style.count}>{count(all)}</span>
        </button>
        <MenuButton of={row.label} stop={inside} onOpen={(button) => acts.onGroupMenu(row, button)} />
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
            data-lost={cell.lost || undefined}
            title={cell.full || undefined}
          >
            {px < ROOMY_PX ? cell.short : cell.text}
            {apart > 0 && (
              <span className={rowStyle.apart} style={{ width: apart }}>
                {cell.spread}
              </span>
            )}
          </div>
        );
      })}
    </div>
  );
});
