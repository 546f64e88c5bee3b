/** The row of one run: box, colour, name, what the columns say of it. */

// biome-ignore-all lint/a11y/useSemanticElements: rows that come and go as one scrolls cannot be those of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in the cells has the focus

import { memo } from "react";
import type { Paint } from "../../state/coloring";
import { paintColor } from "../../state/coloring";
import { type Cell, type Column, cellOf, type MetricValues } from "../../state/column";
import { type RunFacts, shownStatus } from "../../state/facts";
import { lostTip } from "../../state/lost";
import { highlighted, hover, useScene } from "../../state/scene";
import { slotDash } from "../../state/slot";
import { useShade } from "../../state/theme";
import { Check } from "../../widgets/check";
import { Icon } from "../../widgets/icon";
import { RunName } from "../../widgets/run-name";
import { Swatch } from "../../widgets/swatch";
import { type Say, useWords } from "../../words/words";
import { menuAnchor, pickHow, type RowActs } from "./acts";
import { cellText, difference, fullText, statusText } from "./cell-text";
import { DamageMark } from "./damage-mark";
import { MenuButton, useInside } from "./menu-button";
import style from "./run-row.module.css";
import type { Laid } from "./widths";

interface RunRowProps {
  facts: RunFacts;
  label: string;
  /** The same with less of each part, where names would read alike. */
  shown: string;
  depth: number;
  paint: Paint;
  visible: boolean;
  pinned: boolean;
  /** The run that differences are measured from. */
  baseline: RunFacts | null;
  fresh: boolean;
  selected: boolean;
  /** Hovering it brings this line to the front: its own, or that of its group. */
  line: number;
  span: readonly [number, number] | null;
  columns: readonly Laid[];
  metrics: MetricValues;
  top: number;
  /** Place among all rows, for readers of the screen: only a few rows exist. */
  place: number;
  acts: RowActs;
}

export const RunRow = memo(function RunRow(props: RunRowProps) {
  const { facts, visible, fresh, selected, line, top, place, acts } = props;
  const say = useWords();
  const front = useScene((scene) => isFront(highlighted(scene), facts, line));
  const { inside, listeners } = useInside();
  const aside = facts.hidden || facts.archived;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the name in it is the button for keys
    <div
      role="row"
      aria-rowindex={place}
      aria-selected={selected || undefined}
      className={style.row}
      style={{ top }}
      data-testid="run-row"
      data-run={facts.name}
      data-slot={facts.run.slot}
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
        acts.onPick(facts, { ...pickHow(event), name: false });
      }}
      onContextMenu={(event) => {
        event.preventDefault();
        acts.onMenu(facts, menuAnchor(event));
      }}
    >
      <Lead {...props} aside={aside} inside={inside} say={say} />
      <Cells {...props} />
    </div>
  );
}, sameRow);

/** The part found in a name is a new pair each time. */
function sameRow(a: RunRowProps, b: RunRowProps): boolean {
  return (Object.keys(b) as (keyof RunRowProps)[]).every(
    (key) => a[key] === b[key] || (key === "span" && String(a.span) === String(b.span)),
  );
}

function Lead(props: RunRowProps & { aside: boolean; inside: boolean; say: Say }) {
  const {
    facts,
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
    acts,
    say,
  } = props;
  const shade = useShade();
  const held = useScene((scene) => scene.held === line);
  const colorName = say("runs.colorOf", { run: facts.label });
  const dash = paint.dash ?? slotDash(paint.slot);
  return (
    <div role="gridcell" className={style.lead} style={{ paddingLeft: 8 + 14 * depth }}>
      <label className={style.box} title={say("runs.boxTip")} onDoubleClick={() => acts.onOnly(facts)}>
        <Check
          checked={visible}
          disabled={aside}
          aria-label={say("runs.show", { run: facts.label })}
          onChange={(event) => acts.onSwitch(facts, event.target.checked)}
        />
      </label>
      <button
        type="button"
        className={style.paint}
        tabIndex={-1}
        aria-label={colorName}
        title={colorName}
        onClick={(event) => acts.onColor(facts, event.currentTarget)}
      >
        <Swatch color={paintColor(paint, shade)} dash={dash} off={!visible} />
      </button>
      <button
        type="button"
        className={held ? `${style.name} ${style.held}` : style.name}
        title={nameTip(facts)}
        aria-label={label}
        aria-pressed={held}
        data-drag={facts.name}
        onClick={(event) => acts.onPick(facts, { ...pickHow(event), name: true })}
        onDoubleClick={() => acts.onOpen(facts)}
        onFocus={() => hover(line, "table")}
        onBlur={() => hover(null, "table")}
      >
        <RunName name={shown} title="" span={shown === label ? shifted(span, facts.label, label) : null} />
      </button>
      {pinned && <Badge icon="pin" name={say("table.pinned")} />}
      {baseline?.id === facts.id && <Badge icon="flag" name={say("runs.isBaseline")} />}
      {facts.hidden && <Badge icon="hide" name={say("runs.isHidden")} />}
      {facts.archived && <Badge icon="archive" name={say("runs.isArchived")} />}
      {facts.lost && <Badge icon="lost" name={lostTip(facts.lost)} />}
      {facts.run.damage_bytes > 0 && <DamageMark run={facts.run} />}
      {facts.run.status === "live" && (
        <span className={style.live} role="img" aria-label={say("runs.live")} title={say("runs.live")} />
      )}
      <MenuButton of={facts.label} stop={inside} onOpen={(button) => acts.onMenu(facts, button)} />
    </div>
  );
}

function Cells({ facts, columns, metrics, baseline }: RunRowProps) {
  return columns.map(({ column, px, text, apart: room }) => {
    const cell = cellOf(column, facts, metrics);
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
        title={[tipOf(column, facts, cell), apart && `Δ ${apart}`].filter(Boolean).join(" · ") || undefined}
      >
        {column.kind === "info" && column.what === "status" ? (
          <Status facts={facts} />
        ) : column.kind === "info" && column.what === "tags" ? (
          facts.tags.map((tag) => (
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

function tipOf(column: Column, facts: RunFacts, cell: Cell): string {
  const isStatus = column.kind === "info" && column.what === "status";
  return isStatus && facts.lost !== null ? lostTip(facts.lost) : fullText(column, cell);
}

const STATUS_ICONS = {
  running: "play",
  finished: "check",
  failed: "warning",
  idle: "stop",
  diverged: "warning",
} as const;

/** Icon, word and colour: never colour alone. */
function Status({ facts }: { facts: RunFacts }) {
  useWords();
  const status = shownStatus(facts);
  return (
    <span className={style.status} data-status={status}>
      <Icon name={STATUS_ICONS[status]} size={12} />
      {statusText(facts)}
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

/** A chart may mean the run itself, one folded into it, or the group it stands in. */
function isFront(front: number | null, { id, folded }: RunFacts, line: number): boolean {
  return front !== null && (front === id || front === line || folded.includes(front));
}

/** Where the part found in a name stands in what is left of it. */
function shifted(
  span: readonly [number, number] | null,
  whole: string,
  shown: string,
): readonly [number, number] | null {
  const cut = whole.length - shown.length;
  if (span === null || cut === 0) return span;
  return span[1] <= cut ? null : [Math.max(0, span[0] - cut), span[1] - cut];
}

function nameTip({ name, label, note }: RunFacts): string {
  return [label, ...(label === name ? [] : [name]), ...(note === "" ? [] : [note])].join("\n");
}

export function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest("button, label, input, a") !== null;
}
