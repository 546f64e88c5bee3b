/** The row of one run: checkbox, colour, name, cells. */

// biome-ignore-all lint/a11y/useSemanticElements: rows that come and go as one scrolls cannot be those of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in the cells has the focus

import { memo } from "react";
import { type Say, useWords } from "../../i18n/words";
import { Check } from "../../ui/check";
import { Icon } from "../../ui/icon";
import { RunName } from "../../ui/run-name";
import { Swatch } from "../../ui/swatch";
import type { Paint } from "../runs/coloring";
import { paintColor } from "../runs/coloring";
import { type Cell, type Column, cellOf, type MetricValues } from "../runs/column";
import { nonfiniteTip } from "../runs/nonfinite-metrics";
import { type RunDetails, shownStatus } from "../runs/run-details";
import { slotDash } from "../runs/slot";
import { highlighted, hover, useInteraction } from "../view/interaction";
import { useColorScheme } from "../view/theme";
import { cellText, difference, fullText, statusText } from "./cell-text";
import type { ColumnLayout } from "./column-widths";
import { DamageMark } from "./damage-mark";
import { MenuButton, useInside } from "./menu-button";
import { menuAnchor, pickModifiers, type RowActions } from "./row-actions";
import style from "./run-row.module.css";

interface RunRowProps {
  details: RunDetails;
  label: string;
  /** The name, abbreviated if it would look like another. */
  shown: string;
  depth: number;
  paint: Paint;
  visible: boolean;
  pinned: boolean;
  /** The baseline run. */
  baseline: RunDetails | null;
  fresh: boolean;
  selected: boolean;
  /** The line that hovering highlights: its own, or that of its group. */
  line: number;
  span: readonly [number, number] | null;
  columns: readonly ColumnLayout[];
  metrics: MetricValues;
  top: number;
  /** Index among all rows, for screen readers: only a few rows exist. */
  place: number;
  actions: RowActions;
}

export const RunRow = memo(function RunRow(props: RunRowProps) {
  const { details, visible, fresh, selected, line, top, place, actions } = props;
  const say = useWords();
  const front = useInteraction((interaction) => isFront(highlighted(interaction), details, line));
  const { inside, listeners } = useInside();
  const aside = details.hidden || details.archived;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the name in it is the button for keys
    <div
      role="row"
      aria-rowindex={place}
      aria-selected={selected || undefined}
      className={style.row}
      style={{ top }}
      data-testid="run-row"
      data-run={details.name}
      data-slot={details.run.slot}
      data-front={front || undefined}
      data-off={!visible || undefined}
      data-new={fresh || undefined}
      data-selected={selected || undefined}
      data-aside={aside || undefined}
      onMouseEnter={() => hover(line, "table")}
      onMouseLeave={() => hover(null, "table")}
      {...listeners}
      onClick={(event) => {
        if (isControl(event.target)) return;
        actions.onPick(details, { ...pickModifiers(event), name: false });
      }}
      onContextMenu={(event) => {
        event.preventDefault();
        actions.onMenu(details, menuAnchor(event));
      }}
    >
      <Lead {...props} aside={aside} inside={inside} say={say} />
      <Cells {...props} />
    </div>
  );
}, sameRow);

/** The match in a name is a new pair each time, so compare its values. */
function sameRow(a: RunRowProps, b: RunRowProps): boolean {
  return (Object.keys(b) as (keyof RunRowProps)[]).every(
    (key) => a[key] === b[key] || (key === "span" && String(a.span) === String(b.span)),
  );
}

function Lead(props: RunRowProps & { aside: boolean; inside: boolean; say: Say }) {
  const {
    details,
    label,
    shown,
    depth,
    paint,
    visible,
    pinned,
    baseline,
    span,
    line,
    aside,
    inside,
    actions,
    say,
  } = props;
  const scheme = useColorScheme();
  const isHeld = useInteraction((interaction) => interaction.heldRun === line);
  const colorName = say("runs.colorOf", { run: details.label });
  const dash = paint.dash ?? slotDash(paint.slot);
  return (
    <div role="gridcell" className={style.lead} style={{ paddingLeft: 8 + 14 * depth }}>
      <label className={style.box} title={say("runs.boxTip")} onDoubleClick={() => actions.onOnly(details)}>
        <Check
          checked={visible}
          disabled={aside}
          aria-label={say("runs.show", { run: details.label })}
          onChange={(event) => actions.onSwitch(details, event.target.checked)}
        />
      </label>
      <button
        type="button"
        className={style.paint}
        tabIndex={-1}
        aria-label={colorName}
        title={colorName}
        onClick={(event) => actions.onColor(details, event.currentTarget)}
      >
        <Swatch color={paintColor(paint, scheme)} dash={dash} off={!visible} />
      </button>
      <button
        type="button"
        className={isHeld ? `${style.name} ${style.held}` : style.name}
        title={nameTip(details)}
        aria-label={label}
        aria-pressed={isHeld}
        data-drag={details.name}
        onClick={(event) => actions.onPick(details, { ...pickModifiers(event), name: true })}
        onDoubleClick={() => actions.onOpen(details)}
        onFocus={() => hover(line, "table")}
        onBlur={() => hover(null, "table")}
      >
        <RunName name={shown} title="" span={shown === label ? shifted(span, details.label, label) : null} />
      </button>
      {pinned && <Badge icon="pin" name={say("table.pinned")} />}
      {baseline?.id === details.id && <Badge icon="flag" name={say("runs.isBaseline")} />}
      {details.hidden && <Badge icon="hide" name={say("runs.isHidden")} />}
      {details.archived && <Badge icon="archive" name={say("runs.isArchived")} />}
      {details.nonfinite && <Badge icon="lost" name={nonfiniteTip(details.nonfinite)} />}
      {details.run.damage_bytes > 0 && <DamageMark run={details.run} />}
      {details.run.status === "live" && (
        <span className={style.live} role="img" aria-label={say("runs.live")} title={say("runs.live")} />
      )}
      <MenuButton of={details.label} stop={inside} onOpen={(button) => actions.onMenu(details, button)} />
    </div>
  );
}

function Cells({ details, columns, metrics, baseline }: RunRowProps) {
  return columns.map(({ column, px, text, apart: room }) => {
    const cell = cellOf(column, details, metrics);
    const apart = baseline === null ? "" : difference(column, cell, cellOf(column, baseline, metrics));
    return (
      <div
        key={column.id}
        role="gridcell"
        className={text ? style.words : style.number}
        style={{ width: px }}
        data-cell={column.id}
        data-lost={
          (column.kind === "metric" && typeof cell === "number" && !Number.isFinite(cell)) || undefined
        }
        title={[tipOf(column, details, cell), apart && `Δ ${apart}`].filter(Boolean).join(" · ") || undefined}
      >
        {column.kind === "info" && column.what === "status" ? (
          <Status details={details} />
        ) : column.kind === "info" && column.what === "tags" ? (
          details.tags.map((tag) => (
            <span key={tag} className={style.tag}>
              {tag}
            </span>
          ))
        ) : (
          cellText(column, cell)
        )}
        {room > 0 && (
          <span className={style.apart} style={{ width: room }}>
            {apart}
          </span>
        )}
      </div>
    );
  });
}

function tipOf(column: Column, details: RunDetails, cell: Cell): string {
  const isStatus = column.kind === "info" && column.what === "status";
  return isStatus && details.nonfinite !== null ? nonfiniteTip(details.nonfinite) : fullText(column, cell);
}

const STATUS_ICONS = {
  running: "play",
  finished: "check",
  failed: "warning",
  idle: "stop",
  diverged: "warning",
} as const;

/** Icon, word and colour: never colour alone. */
function Status({ details }: { details: RunDetails }) {
  useWords();
  const status = shownStatus(details);
  return (
    <span className={style.status} data-status={status}>
      <Icon name={STATUS_ICONS[status]} size={12} />
      {statusText(details)}
    </span>
  );
}

type BadgeIcon = "pin" | "flag" | "hide" | "archive" | "lost";

function Badge({ icon, name }: { icon: BadgeIcon; name: string }) {
  return (
    <span className={style.badge} role="img" aria-label={name} title={name} data-badge={icon}>
      <Icon name={icon} size={12} />
    </span>
  );
}

/** A chart may highlight the run itself, one folded into it, or its group. */
function isFront(front: number | null, { id, folded }: RunDetails, line: number): boolean {
  return front !== null && (front === id || front === line || folded.includes(front));
}

/** The position of a match in the abbreviated name. */
function shifted(
  span: readonly [number, number] | null,
  whole: string,
  shown: string,
): readonly [number, number] | null {
  const cut = whole.length - shown.length;
  if (span === null || cut === 0) return span;
  return span[1] <= cut ? null : [Math.max(0, span[0] - cut), span[1] - cut];
}

function nameTip({ name, label, note }: RunDetails): string {
  return [label, ...(label === name ? [] : [name]), ...(note === "" ? [] : [note])].join("\n");
}

export function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest("button, label, input, a") !== null;
}
