/** Trials as a virtual table: what filters leave, one column for each parameter and metric, the boxes of the runs. */

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
import { abbreviated, roomToTell } from "../../base/short-names";
import { type Paint, paintColor } from "../../state/coloring";
import type { Cell } from "../../state/column";
import { useListedRuns } from "../../state/facts";
import { hover, useScene } from "../../state/scene";
import { slotDash } from "../../state/slot";
import { switchAll, switchRun } from "../../state/switching";
import { useShade } from "../../state/theme";
import type { TrialColumn, TrialRow } from "../../state/trialcolumn";
import type { TrialTable as Table } from "../../state/trials";
import { commit } from "../../state/view";
import { useSwitchedOn } from "../../state/visible";
import { Check } from "../../widgets/check";
import { Icon } from "../../widgets/icon";
import { observeLaidOut, scrollWhereNeeded } from "../../widgets/laid-out";
import { useRowSlots } from "../../widgets/row-slots";
import { RunName } from "../../widgets/run-name";
import { Swatch } from "../../widgets/swatch";
import { textPx } from "../../widgets/text-width";
import { useWords } from "../../words/words";
import { cellText, fullText, headText } from "./cell-text";
import { Heads } from "./heads";
import style from "./trial-table.module.css";

const ROW_PX = 28;
const LETTER_PX = 7.2;
const ROOM_PX = 38;
const HEAD_LETTER_PX = 6.4;
/** Head: the marks of order and filter beside its name. */
const HEAD_ROOM_PX = 52;
const MIN_PX = 72;
const MAX_PX = 240;
/** A part of the rows tells how wide a column is. */
const MEASURED = 200;

export interface Laid {
  column: TrialColumn;
  px: number;
  /** Words stand to the left. */
  words: boolean;
}

export function TrialTable({ table }: { table: Table }) {
  const say = useWords();
  const { rows, kept, cells, paints, columns } = table;
  const scroll = useRef<HTMLDivElement>(null);
  const laid = useMemo(() => layOut(table), [table]);
  const names = useMemo(() => namesOf(rows), [rows]);
  const lead = Math.min(MOST_LEAD_PX, names.leadPx);
  const visible = useSwitchedOn();
  const front = useScene((scene) => scene.hovered);
  const list = useVirtualizer({
    count: kept.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
    paddingStart: ROW_PX + 4,
    scrollPaddingStart: ROW_PX + 4,
    observeElementRect: observeLaidOut,
    scrollToFn: scrollWhereNeeded,
  });
  useFollowChart(table, (at) => list.scrollToIndex(at, { align: "auto" }));
  const width = list.scrollRect?.width ?? 0;
  const isShort = names.leadPx > (width < PHONE_PX ? width * PHONE_PART : MOST_LEAD_PX);
  const slots = useRowSlots(list.getVirtualItems(), !list.isScrolling);
  const flip = useFlip(visible);
  const on = kept.reduce((sum, row) => sum + Number(isOn(rows[row]!, visible)), 0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: says only where the pointer is; arrow keys walk from row to row
    <div
      ref={scroll}
      className={style.scroll}
      tabIndex={-1}
      onKeyDown={(event) => walk(event, (at) => list.scrollToIndex(at, { align: "auto" }), kept.length)}
      onPointerLeave={() => hover(null, "table")}
    >
      <div
        role="grid"
        className={style.table}
        style={
          {
            height: list.getTotalSize(),
            minWidth: widthOf(laid, lead),
            "--lead": `${lead}px`,
          } as CSSProperties
        }
        aria-label={say("trials.table")}
        aria-rowcount={kept.length + 1}
        data-testid="trial-table"
      >
        <Heads
          laid={laid}
          columns={columns}
          table={table}
          checked={on === 0 ? false : on === kept.length ? true : "mixed"}
          onAll={() =>
            flip(
              kept.map((row) => rows[row]!),
              on < kept.length,
            )
          }
        />
        {slots.map(([key, { index, start }]) => {
          const row = kept[index]!;
          const held = rows[row]!;
          return (
            <Row
              key={key}
              row={held}
              shown={(isShort && names.short.get(held.label)) || held.label}
              at={row}
              top={start}
              place={index + 2}
              laid={laid}
              cells={cells}
              paint={paints[row]!}
              on={isOn(held, visible)}
              front={front !== null && (front === held.facts.id || held.facts.folded.includes(front))}
              onFlip={flip}
            />
          );
        })}
      </div>
    </div>
  );
}

/** The trial under the pointer in a chart comes into sight. */
function useFollowChart({ rows, kept }: Table, show: (at: number) => void): void {
  const hovered = useScene((scene) => (scene.source === "chart" ? scene.hovered : null));
  const latest = useRef(show);
  useLayoutEffect(() => {
    latest.current = show;
  });
  const places = useMemo(
    () => new Map(kept.map((row, at) => [rows[row]!.facts.id, at] as const)),
    [rows, kept],
  );
  useEffect(() => {
    const at = hovered === null ? undefined : places.get(hovered);
    if (at !== undefined) latest.current(at);
  }, [hovered, places]);
}

/** A trial is on show when one of its runs is. */
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
  /** Its label, with less of each part where it would read as another. */
  shown: string;
  /** Its place among the cells of a column. */
  at: number;
  top: number;
  place: number;
  laid: readonly Laid[];
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
  laid,
  cells,
  paint,
  on,
  front,
  onFlip,
}: RowProps) {
  const say = useWords();
  const shade = useShade();
  const { facts, label } = row;
  return (
    <div
      role="row"
      className={style.row}
      style={{ top }}
      aria-rowindex={place}
      data-testid="trial-row"
      data-run={facts.name}
      data-off={on ? undefined : ""}
      data-front={front || undefined}
      onPointerEnter={() => hover(facts.id, "table")}
    >
      <div role="gridcell" className={style.lead}>
        <label className={style.box}>
          <Check
            checked={on}
            aria-label={say("runs.show", { run: label })}
            onChange={(event) => onFlip([row], event.target.checked)}
          />
        </label>
        <Swatch color={paintColor(paint, shade)} dash={paint.dash ?? slotDash(paint.slot)} off={!on} />
        <button
          type="button"
          className={style.name}
          title={row.trials.map((trial) => trial.facts.label).join("\n")}
          onClick={() => commit({ page: "run", subject: facts.name })}
          onFocus={() => hover(facts.id, "table")}
          onBlur={() => hover(null, "table")}
        >
          <RunName name={shown} title="" />
        </button>
      </div>
      {laid.map(({ column, px, words }) => {
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

/** As wide as what stands in it, within reason. */
function layOut({ columns, cells, study }: Table): readonly Laid[] {
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
const MOST_LEAD_PX = 420;
/** On a phone, as in the style. */
const PHONE_PX = 640;
const PHONE_PART = 0.62;
/** Box and swatch beside a name, and what fonts differ by. */
const BESIDE_PX = 62;
/** Rows whose names are looked at. */
const NAMED = 2000;

/** What trials are called where there is no room to tell their names apart, and the room it takes with names. */
function namesOf(rows: readonly TrialRow[]): { leadPx: number; short: ReadonlyMap<string, string> } {
  const labels = rows.slice(0, NAMED).map(({ label }) => label);
  const px = BESIDE_PX + roomToTell(labels, (text) => textPx(text, FONT));
  return { leadPx: Math.ceil(Math.max(LEAST_LEAD_PX, px)), short: abbreviated(labels) };
}

const FONT = "12px";

function widthOf(laid: readonly Laid[], lead: number): number {
  return lead + laid.reduce((sum, { px }) => sum + px, 0) + 12;
}

/** Arrow keys walk from row to row, in the same part of each. */
function walk(event: KeyboardEvent, scrollTo: (at: number) => void, rows: number): void {
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
