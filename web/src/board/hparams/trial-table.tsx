/** The trials as a virtual table: filtered rows, one column per parameter and metric, checkboxes of the runs. */

// biome-ignore-all lint/a11y/useSemanticElements: rows that come and go as one scrolls cannot be those of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in the cells has the focus

import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from "react";
import { useWords } from "../../i18n/words";
import { abbreviate, distinguishingWidth } from "../../lib/short-names";
import { Check } from "../../ui/check";
import { Icon } from "../../ui/icon";
import { useRowSlots } from "../../ui/row-slots";
import { RunName } from "../../ui/run-name";
import { Swatch } from "../../ui/swatch";
import { textPx } from "../../ui/text-width";
import { observeListRect, scrollIfNeeded } from "../../ui/virtual-list";
import { type Paint, paintColor } from "../runs/coloring";
import type { Cell } from "../runs/column";
import { useListedRuns } from "../runs/run-details";
import { slotDash } from "../runs/slot";
import { switchAll, switchRun } from "../runs/switch-runs";
import { useSwitchedOn } from "../runs/visible-runs";
import { hover, useInteraction } from "../view/interaction";
import { useColorScheme } from "../view/theme";
import { commit } from "../view/view";
import { cellText, fullText, headText } from "./cell-text";
import { type ColumnLayout, Heads } from "./heads";
import type { TrialColumn, TrialRow } from "./trial-column";
import style from "./trial-table.module.css";
import type { TrialTable as Table } from "./trials";

const ROW_PX = 28;
const LETTER_PX = 7.2;
const ROOM_PX = 38;
const HEAD_LETTER_PX = 6.4;
/** Room in a header for the icons of sorting and filtering. */
const HEAD_ROOM_PX = 52;
const MIN_PX = 72;
const MAX_PX = 240;
/** Number of rows that are measured for the width of a column. */
const MEASURED = 200;

export function TrialTable({ table }: { table: Table }) {
  const say = useWords();
  const { rows, filteredRows, cells, paints, columns } = table;
  const scroll = useRef<HTMLDivElement>(null);
  const layout = useMemo(() => layOut(table), [table]);
  const names = useMemo(() => namesOf(rows), [rows]);
  const lead = Math.min(MAX_LEAD_PX, names.leadPx);
  const visible = useSwitchedOn();
  const front = useInteraction((interaction) => interaction.hoveredRun);
  const list = useVirtualizer({
    count: filteredRows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
    paddingStart: ROW_PX + 4,
    scrollPaddingStart: ROW_PX + 4,
    observeElementRect: observeListRect,
    scrollToFn: scrollIfNeeded,
  });
  useFollowChart(table, (at) => list.scrollToIndex(at, { align: "auto" }));
  const width = list.scrollRect?.width ?? 0;
  const isShort = names.leadPx > (width < PHONE_PX ? width * PHONE_PART : MAX_LEAD_PX);
  const slots = useRowSlots(list.getVirtualItems(), !list.isScrolling);
  const flip = useFlip(visible);
  const on = filteredRows.reduce((sum, row) => sum + Number(isOn(rows[row]!, visible)), 0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: says only where the pointer is; arrow keys walk from row to row
    <div
      ref={scroll}
      className={style.scroll}
      tabIndex={-1}
      onKeyDown={(event) =>
        moveFocus(event, (at) => list.scrollToIndex(at, { align: "auto" }), filteredRows.length)
      }
      onPointerLeave={() => hover(null, "table")}
    >
      <div
        role="grid"
        className={style.table}
        style={
          {
            height: list.getTotalSize(),
            minWidth: widthOf(layout, lead),
            "--lead": `${lead}px`,
          } as CSSProperties
        }
        aria-label={say("trials.table")}
        aria-rowcount={filteredRows.length + 1}
        data-testid="trial-table"
      >
        <Heads
          layout={layout}
          columns={columns}
          table={table}
          checked={on === 0 ? false : on === filteredRows.length ? true : "mixed"}
          onAll={() =>
            flip(
              filteredRows.map((row) => rows[row]!),
              on < filteredRows.length,
            )
          }
        />
        {slots.map(([key, { index, start }]) => {
          const row = filteredRows[index]!;
          const item = rows[row]!;
          return (
            <Row
              key={key}
              row={item}
              shown={(isShort && names.short.get(item.label)) || item.label}
              at={row}
              top={start}
              place={index + 2}
              layout={layout}
              cells={cells}
              paint={paints[row]!}
              on={isOn(item, visible)}
              front={front !== null && (front === item.details.id || item.details.folded.includes(front))}
              onFlip={flip}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Scrolls to the trial hovered in a chart. */
function useFollowChart({ rows, filteredRows }: Table, show: (at: number) => void): void {
  const hovered = useInteraction((interaction) =>
    interaction.source === "chart" ? interaction.hoveredRun : null,
  );
  const latest = useRef(show);
  useLayoutEffect(() => {
    latest.current = show;
  });
  const places = useMemo(
    () => new Map(filteredRows.map((row, at) => [rows[row]!.details.id, at] as const)),
    [rows, filteredRows],
  );
  useEffect(() => {
    const at = hovered === null ? undefined : places.get(hovered);
    if (at !== undefined) latest.current(at);
  }, [hovered, places]);
}

/** A trial is visible if one of its runs is. */
function isOn({ trials }: TrialRow, visible: ReadonlySet<number>): boolean {
  return trials.some(({ runs }) => runs.some((id) => visible.has(id)));
}

/** Switches all runs of some rows. */
function useFlip(visible: ReadonlySet<number>) {
  const listed = useListedRuns();
  return useCallback(
    (rows: readonly TrialRow[], on: boolean) => {
      const wanted = new Set(rows.flatMap(({ trials }) => trials.flatMap(({ runs }) => runs)));
      const runs = listed.filter(({ id }) => wanted.has(id));
      const scope = { runs: listed, visible };
      if (rows.length === 1 && runs.length === 1) switchRun(scope, runs[0]!, on);
      else switchAll(scope, runs, on);
    },
    [listed, visible],
  );
}

interface RowProps {
  row: TrialRow;
  /** Its label, abbreviated if it would look like another. */
  shown: string;
  /** Its index in the cells of a column. */
  at: number;
  top: number;
  place: number;
  layout: readonly ColumnLayout[];
  cells: ReadonlyMap<string, readonly Cell[]>;
  paint: Paint;
  on: boolean;
  front: boolean;
  onFlip(rows: readonly TrialRow[], on: boolean): void;
}

const Row = memo(function Row({
  row,
  shown,
  at,
  top,
  place,
  layout,
  cells,
  paint,
  on,
  front,
  onFlip,
}: RowProps) {
  const say = useWords();
  const scheme = useColorScheme();
  const { details, label } = row;
  return (
    <div
      role="row"
      className={style.row}
      style={{ top }}
      aria-rowindex={place}
      data-testid="trial-row"
      data-run={details.name}
      data-off={on ? undefined : ""}
      data-front={front || undefined}
      onPointerEnter={() => hover(details.id, "table")}
    >
      <div role="gridcell" className={style.lead}>
        <label className={style.box}>
          <Check
            checked={on}
            aria-label={say("runs.show", { run: label })}
            onChange={(event) => onFlip([row], event.target.checked)}
          />
        </label>
        <Swatch color={paintColor(paint, scheme)} dash={paint.dash ?? slotDash(paint.slot)} off={!on} />
        <button
          type="button"
          className={style.name}
          title={row.trials.map((trial) => trial.details.label).join("\n")}
          onClick={() => commit({ page: "run", subject: details.name })}
          onFocus={() => hover(details.id, "table")}
          onBlur={() => hover(null, "table")}
        >
          <RunName name={shown} title="" />
        </button>
      </div>
      {layout.map(({ column, px, words }) => {
        const cell = cells.get(column.id)?.[at] ?? null;
        return (
          <div
            key={column.id}
            role="gridcell"
            className={words ? style.words : style.number}
            style={{ width: px }}
            data-cell={column.id}
            title={fullText(column, cell) || undefined}
          >
            {column.kind === "info" && column.what === "status" && cell !== null ? (
              <Status column={column} cell={cell} />
            ) : (
              cellText(column, cell)
            )}
          </div>
        );
      })}
    </div>
  );
});

const ICONS = { running: "play", finished: "check", failed: "warning", idle: "stop" } as const;

/** Icon, word and colour: never colour alone. */
function Status({ column, cell }: { column: TrialColumn; cell: number | string }) {
  return (
    <span className={style.status} data-status={cell}>
      <Icon name={ICONS[cell as keyof typeof ICONS] ?? "stop"} size={12} />
      {cellText(column, cell)}
    </span>
  );
}

/** As wide as its contents, within limits. */
function layOut({ columns, cells, study }: Table): readonly ColumnLayout[] {
  return columns.map((column) => {
    const all = cells.get(column.id) ?? [];
    const { name, more } = headText(column, study);
    const head = (more === "" ? name : `${name} ${more}`).length * HEAD_LETTER_PX + HEAD_ROOM_PX;
    const text = all
      .slice(0, MEASURED)
      .reduce<number>((most, cell) => Math.max(most, cellText(column, cell).length), 0);
    const px = Math.ceil(Math.min(MAX_PX, Math.max(MIN_PX, head, text * LETTER_PX + ROOM_PX)));
    return { column, px, words: isWords(column, all) };
  });
}

function isWords(column: TrialColumn, cells: readonly Cell[]): boolean {
  if (column.kind === "metric") return false;
  return column.kind === "info" ? column.what !== "created" : cells.some((cell) => typeof cell === "string");
}

const LEAST_LEAD_PX = 200;
const MAX_LEAD_PX = 420;
/** On a phone, as in the style. */
const PHONE_PX = 640;
const PHONE_PART = 0.62;
/** Box and swatch beside a name, and what fonts differ by. */
const BESIDE_PX = 62;
/** Number of rows whose names are examined. */
const NAMED = 2000;

/** Labels of trials where their names do not fit, and the width of the names. */
function namesOf(rows: readonly TrialRow[]): { leadPx: number; short: ReadonlyMap<string, string> } {
  const labels = rows.slice(0, NAMED).map(({ label }) => label);
  const px = BESIDE_PX + distinguishingWidth(labels, (text) => textPx(text, FONT));
  return { leadPx: Math.ceil(Math.max(LEAST_LEAD_PX, px)), short: abbreviate(labels) };
}

const FONT = "12px";

function widthOf(layout: readonly ColumnLayout[], lead: number): number {
  return lead + layout.reduce((sum, { px }) => sum + px, 0) + 12;
}

/** Arrow keys move between rows, within the same kind of control. */
function moveFocus(event: KeyboardEvent, scrollTo: (at: number) => void, rows: number): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || event.altKey || event.ctrlKey || !(event.target instanceof HTMLElement)) return;
  const row = event.target.closest<HTMLElement>("[role=row][aria-rowindex]");
  if (!row) return;
  event.preventDefault();
  const part = event.target.matches("input") ? "input" : "button";
  const table = row.parentElement!;
  const to = Number(row.getAttribute("aria-rowindex")) + step;
  if (to < 2 || to > rows + 1) return;
  scrollTo(to - 2);
  requestAnimationFrame(() =>
    table.querySelector<HTMLElement>(`[aria-rowindex="${to}"] ${part}`)?.focus({ preventScroll: true }),
  );
}
