/** The table of runs as a virtual list: only the rows in sight exist, however many runs there are. */

// biome-ignore-all lint/a11y/useSemanticElements: rows that come and go as one scrolls cannot be those of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in the cells has the focus

import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  lazy,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Column } from "../../state/column";
import type { RunFacts } from "../../state/facts";
import { useListed } from "../../state/facts";
import { switchAll } from "../../state/switching";
import { type Room, useWidths } from "../../state/tablecolumns";
import { useView } from "../../state/view";
import { observeLaidOut, scrollWhereNeeded } from "../../widgets/laid-out";
import { useRowSlots } from "../../widgets/row-slots";
import { forgetWidths } from "../../widgets/text-width";
import { count } from "../../words/format";
import { useWords } from "../../words/words";
import type { Anchor, RowActs } from "./acts";
import { useFollowChart, useFresh } from "./following";
import style from "./grid.module.css";
import { GroupRow } from "./group-row";
import { Heads } from "./heads";
import { usePinDrag } from "./pin-drag";
import type { GroupRow as GroupRowOf, TableRow } from "./rows";
import { RunRow } from "./run-row";
import { scopeOf, useActs } from "./use-acts";
import type { Table } from "./use-table";
import { callingIn, fitting, type Laid, layColumns, leadPx, type Names, namesOf, tableWidth } from "./widths";

const RunMenu = lazy(() => import("./run-menu"));
const GroupMenu = lazy(() => import("./group-menu"));
const ColumnMenu = lazy(() => import("./column-menu"));
const ColorSheet = lazy(() => import("./color-sheet"));
const NoteSheet = lazy(() => import("./note-sheet"));

const ROW_PX = 28;
const FAMILIES_PX = 44;

/** What is picked on the Runs page. */
export interface Picking {
  picked: ReadonlySet<string>;
  onPick(name: string, how: { range: boolean; also: boolean }, order: readonly string[]): void;
}

/** What lies open beside a row or a head. */
export type Open =
  | { what: "menu" | "note" | "color"; facts: RunFacts; anchor: Anchor }
  | { what: "group"; row: GroupRowOf; anchor: Anchor }
  | { what: "column"; column: Column; anchor: Anchor };

interface GridProps {
  table: Table;
  room: Room;
  inside: { current: boolean };
  picking?: Picking;
}

export function Grid({ table, room, inside, picking }: GridProps) {
  const say = useWords();
  const { rows, runs, metrics, coloring, grouped, query, visible } = table;
  const listed = useListed();
  const fresh = useFresh();
  const drawsMembers = useView((view) => view.grouping === null || view.grouping.members);
  const [open, setOpen] = useState<Open | null>(null);
  const scroll = useRef<HTMLDivElement>(null);
  const headPx = room === "page" ? FAMILIES_PX : ROW_PX;
  const [width, setWidth] = useState(0);
  const { shown, lead, minWidth, call } = useLaid(table, room, width, listed);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 3,
    paddingStart: headPx,
    scrollPaddingStart: headPx,
    observeElementRect: (each, onRect) =>
      observeLaidOut(each, (rect) => {
        setWidth(rect.width);
        onRect(rect);
      }),
    scrollToFn: scrollWhereNeeded,
  });
  useFollowChart(rows, (at) => list.scrollToIndex(at, { align: "auto" }));
  const acts = useActs({ listed, visible, rows, picking, setOpen });
  const on = useMemo(() => runs.reduce((sum, { id }) => sum + (visible.has(id) ? 1 : 0), 0), [runs, visible]);
  const slots = useRowSlots(list.getVirtualItems(), !list.isScrolling);
  const pins = usePinDrag(rows, scroll, headPx);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: says only whether the pointer is here
    <div
      ref={scroll}
      className={style.scroll}
      tabIndex={-1}
      onPointerEnter={() => {
        inside.current = true;
      }}
      onPointerLeave={() => {
        inside.current = false;
      }}
      onKeyDown={(event) => walk(event, (at) => list.scrollToIndex(at, { align: "auto" }), rows.length)}
      {...pins.handlers}
    >
      <div
        role="grid"
        className={style.table}
        style={{ height: list.getTotalSize(), minWidth, "--lead": lead && `${lead}px` } as CSSProperties}
        data-room={room}
        aria-label={say("runs.title")}
        aria-rowcount={rows.length + 1}
      >
        <Heads
          columns={shown}
          all={table.columns}
          on={on}
          of={listed.length}
          checked={on === 0 ? false : on === runs.length ? true : "mixed"}
          families={room === "page"}
          onAll={() =>
            switchAll(
              scopeOf(listed, visible),
              runs.map(({ run }) => run),
              on < runs.length,
            )
          }
          onMenu={(column, anchor) => setOpen({ what: "column", column, anchor })}
        />
        {slots.map(([key, { index, start }]) => {
          const row = rows[index]!;
          const shared = { columns: shown, metrics, top: start, place: index + 2, acts };
          if (row.kind === "head") return <HeadRow key={key} row={row} top={start} place={index + 2} />;
          if (row.kind === "group")
            return (
              <GroupRow
                key={key}
                row={row}
                shown={call(row)}
                paint={row.group ? coloring.paintOf(row.members[0]!) : null}
                on={row.members.reduce((sum, { id }) => sum + (visible.has(id) ? 1 : 0), 0)}
                {...shared}
              />
            );
          const { facts } = row;
          return (
            <RunRow
              key={key}
              facts={facts}
              label={row.label}
              shown={call(row)}
              depth={row.depth}
              paint={coloring.paintOf(facts)}
              visible={visible.has(facts.id)}
              pinned={row.pinned}
              baseline={table.baseline}
              fresh={fresh.has(facts.id)}
              selected={picking?.picked.has(facts.name) ?? false}
              line={drawsMembers ? facts.id : (grouped.groupOf.get(facts.id)?.id ?? facts.id)}
              span={query.find(facts.label)}
              {...shared}
            />
          );
        })}
        {pins.line !== null && <div className={style.drop} style={{ top: pins.line }} />}
      </div>
      {open && (
        <Suspense>
          <Opened open={open} setOpen={setOpen} table={table} acts={acts} />
        </Suspense>
      )}
    </div>
  );
}

function Opened({
  open,
  setOpen,
  table,
  acts,
}: {
  open: Open;
  setOpen(open: Open | null): void;
  table: Table;
  acts: RowActs;
}) {
  const close = () => setOpen(null);
  if (open.what === "column")
    return <ColumnMenu column={open.column} all={table.columns} anchor={open.anchor} onClose={close} />;
  if (open.what === "group")
    return (
      <GroupMenu
        row={open.row}
        anchor={open.anchor}
        onClose={close}
        onOnly={() => acts.onOnlyGroup(open.row)}
      />
    );
  const { facts, anchor } = open;
  if (open.what === "color") return <ColorSheet facts={facts} anchor={anchor} onClose={close} />;
  if (open.what === "note") return <NoteSheet facts={facts} anchor={anchor} onClose={close} />;
  return (
    <RunMenu
      facts={facts}
      anchor={anchor}
      onClose={close}
      onOnly={() => acts.onOnly(facts)}
      onDescribe={() => setOpen({ what: "note", facts, anchor })}
      onColor={() => setOpen({ what: "color", facts, anchor })}
    />
  );
}

function HeadRow({
  row,
  top,
  place,
}: {
  row: Extract<TableRow, { kind: "head" }>;
  top: number;
  place: number;
}) {
  const say = useWords();
  const text =
    row.what === "aside"
      ? say("table.set", { count: row.count })
      : say(row.what === "pinned" ? "table.pinned" : "table.others");
  return (
    <div role="row" aria-rowindex={place} className={style.part} style={{ top }}>
      <div role="gridcell">
        {text} {row.what !== "aside" && <span>{count(row.count)}</span>}
      </div>
    </div>
  );
}

interface Layout {
  shown: readonly Laid[];
  /** On a page of its own: width of box, swatch and name, and of all columns. */
  lead: number | undefined;
  minWidth: number | undefined;
  /** What a row is called. */
  call: Names["shortOf"];
}

/** Columns with their widths, as many as there is room for; what names and table need where all are shown. */
function useLaid(
  { columns, metrics, spreads, rows }: Table,
  room: Room,
  width: number,
  listed: readonly RunFacts[],
): Layout {
  const chosen = useWidths((state) => state.px);
  const say = useWords();
  const font = useFont();
  // biome-ignore lint/correctness/useExhaustiveDependencies: words have other lengths in another language and font
  const laid = useMemo(
    () => layColumns(columns, listed, metrics, chosen, spreads),
    [columns, listed, metrics, chosen, spreads, say, font],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: names have other lengths in another font
  const names = useMemo(() => namesOf(rows), [rows, font]);
  const shown = useMemo(
    () => (room === "page" ? laid : fitting(laid, width, names)),
    [laid, room, width, names],
  );
  const lead = room === "page" ? leadPx(width, names) : undefined;
  const call = useMemo(() => callingIn(names, shown, width, lead), [names, shown, width, lead]);
  return { shown, lead, minWidth: lead && tableWidth(laid, lead), call };
}

/** Another number once the font of the page is here: words have other lengths in it. */
function useFont(): number {
  const [font, setFont] = useState(0);
  useEffect(() => {
    let gone = false;
    void document.fonts.ready.then(() => {
      if (gone) return;
      forgetWidths();
      setFont(1);
    });
    return () => {
      gone = true;
    };
  }, []);
  return font;
}

/** Arrow keys walk from row to row, in the same part of each. */
function walk(event: KeyboardEvent, scrollTo: (at: number) => void, rows: number): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || event.altKey || event.ctrlKey || !(event.target instanceof HTMLElement)) return;
  const row = event.target.closest<HTMLElement>("[role=row][aria-rowindex]");
  if (!row) return;
  event.preventDefault();
  const parts = event.target.matches("input") ? ["input"] : ["[data-drag]", "button"];
  const from = Number(row.getAttribute("aria-rowindex"));
  const table = row.parentElement!;
  for (let place = from + step; place >= 2 && place <= rows + 1; place += step) {
    scrollTo(place - 2);
    const there = table.querySelector(`[aria-rowindex="${place}"]`);
    const next = parts.map((part) => there?.querySelector<HTMLElement>(part)).find(Boolean);
    if (!next) continue;
    next.focus({ preventScroll: true });
    return;
  }
}
