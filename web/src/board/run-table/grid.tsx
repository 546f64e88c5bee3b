/** The run table as a virtual list: only visible rows exist, however many runs there are. */

// biome-ignore-all lint/a11y/useSemanticElements: rows that come and go as one scrolls cannot be those of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in the cells has the focus

import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { lazyPart } from "../../ui/lazy-part";
import { useRowSlots } from "../../ui/row-slots";
import { forgetWidths } from "../../ui/text-width";
import { observeListRect, scrollIfNeeded } from "../../ui/virtual-list";
import { useSettled } from "../data/lists";
import { type RunDetails, useListedDetails } from "../runs/run-details";
import { switchAll } from "../runs/switch-runs";
import { type TablePlacement, useWidths } from "../runs/table-columns";
import { useView } from "../view/view";
import {
  type ColumnLayout,
  fittingColumns,
  layColumns,
  leadPx,
  namesOf,
  namingForWidth,
  type RowNames,
  tableWidth,
} from "./column-widths";
import { useFollowChart, useFresh } from "./follow-chart";
import style from "./grid.module.css";
import { GroupRow } from "./group-row";
import { Heads } from "./heads";
import { usePinDrag } from "./pin-drag";
import type { OpenPopup, PickState, RowActions } from "./row-actions";
import type { TableRow } from "./rows";
import { RunRow } from "./run-row";
import { scopeOf, useRowActions } from "./use-row-actions";
import type { Table } from "./use-table";

const RunMenu = lazyPart(() => import("./run-menu"));
const GroupMenu = lazyPart(() => import("./group-menu"));
const ColumnMenu = lazyPart(() => import("./column-menu"));
const ColorPopover = lazyPart(() => import("./color-popover"));
const NotePopover = lazyPart(() => import("./note-popover"));
const DivergedPopover = lazyPart(() => import("./diverged-popover"));
const MadeByPopover = lazyPart(() => import("../runs/made-by-popover"));

const ROW_PX = 28;
const FAMILIES_PX = 44;

interface GridProps {
  table: Table;
  room: TablePlacement;
  inside: { current: boolean };
  picking?: PickState;
}

export function Grid({ table, room, inside, picking }: GridProps) {
  const say = useWords();
  const { rows, runs, metrics, coloring, grouped, query, visible } = table;
  const listed = useListedDetails();
  const fresh = useFresh();
  const drawsMembers = useView((view) => view.grouping === null || view.grouping.members);
  const [open, setOpen] = useState<OpenPopup | null>(null);
  const scroll = useRef<HTMLDivElement>(null);
  const headPx = room === "page" ? FAMILIES_PX : ROW_PX;
  const [width, setWidth] = useState(0);
  const { shown, lead, minWidth, call } = useColumnLayout(table, room, width, listed);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 3,
    paddingStart: headPx,
    scrollPaddingStart: headPx,
    observeElementRect: (each, onRect) =>
      observeListRect(each, (rect) => {
        setWidth(rect.width);
        onRect(rect);
      }),
    scrollToFn: scrollIfNeeded,
  });
  useFollowChart(rows, (at) => list.scrollToIndex(at, { align: "auto" }));
  const actions = useRowActions({ listed, visible, rows, picking, setOpen });
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
      onKeyDown={(event) => moveFocus(event, (at) => list.scrollToIndex(at, { align: "auto" }), rows.length)}
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
          const shared = { columns: shown, metrics, top: start, place: index + 2, actions };
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
          const { details } = row;
          return (
            <RunRow
              key={key}
              details={details}
              label={row.label}
              shown={call(row)}
              depth={row.depth}
              paint={coloring.paintOf(details)}
              visible={visible.has(details.id)}
              pinned={row.pinned}
              baseline={table.baseline}
              fresh={fresh.has(details.id)}
              selected={picking?.picked.has(details.name) ?? false}
              line={drawsMembers ? details.id : (grouped.groupOf.get(details.id)?.id ?? details.id)}
              span={query.find(details.label)}
              {...shared}
            />
          );
        })}
        {pins.line !== null && <div className={style.drop} style={{ top: pins.line }} />}
      </div>
      {open && (
        <Suspense>
          <Opened open={open} setOpen={setOpen} table={table} actions={actions} />
        </Suspense>
      )}
    </div>
  );
}

function Opened({
  open,
  setOpen,
  table,
  actions,
}: {
  open: OpenPopup;
  setOpen(open: OpenPopup | null): void;
  table: Table;
  actions: RowActions;
}) {
  const close = () => setOpen(null);
  if (open.what === "column")
    return <ColumnMenu column={open.column} all={table.columns} anchor={open.anchor} onClose={close} />;
  if (open.what === "diverged")
    return (
      <DivergedPopover
        label={open.row.label}
        members={open.row.members}
        anchor={open.anchor}
        onClose={close}
        onOpenRun={actions.onOpen}
      />
    );
  if (open.what === "group")
    return (
      <GroupMenu
        row={open.row}
        anchor={open.anchor}
        onClose={close}
        onOnly={() => actions.onOnlyGroup(open.row)}
      />
    );
  const { details, anchor } = open;
  if (open.what === "color") return <ColorPopover details={details} anchor={anchor} onClose={close} />;
  if (open.what === "note") return <NotePopover details={details} anchor={anchor} onClose={close} />;
  if (open.what === "job") return <MadeByPopover run={details} anchor={anchor} onClose={close} />;
  return (
    <RunMenu
      details={details}
      anchor={anchor}
      onClose={close}
      onOnly={() => actions.onOnly(details)}
      onDescribe={() => setOpen({ what: "note", details, anchor })}
      onColor={() => setOpen({ what: "color", details, anchor })}
      onJob={() => setOpen({ what: "job", details, anchor })}
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
  shown: readonly ColumnLayout[];
  /** On the Runs page: width of checkbox, swatch and name, and of all columns. */
  lead: number | undefined;
  minWidth: number | undefined;
  /** The label of a row. */
  call: RowNames["shortOf"];
}

/** Columns with their widths, as many as fit; on the Runs page all, with the widths of names and table. */
function useColumnLayout(
  { columns, metrics, spreads, rows }: Table,
  room: TablePlacement,
  width: number,
  listed: readonly RunDetails[],
): Layout {
  const chosen = useWidths((state) => state.px);
  const settled = useSettled();
  const say = useWords();
  const font = useFont();
  // biome-ignore lint/correctness/useExhaustiveDependencies: words have other lengths in another language and font
  const layout = useMemo(
    () => layColumns(columns, listed, metrics, chosen, spreads, settled, room),
    [columns, listed, metrics, chosen, spreads, settled, room, say, font],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: names have other lengths in another font
  const names = useMemo(() => namesOf(rows), [rows, font]);
  const shown = useMemo(
    () => (room === "page" ? layout : fittingColumns(layout, width, names)),
    [layout, room, width, names],
  );
  const lead = room === "page" ? leadPx(width, names) : undefined;
  const call = useMemo(() => namingForWidth(names, shown, width, lead), [names, shown, width, lead]);
  return { shown, lead, minWidth: lead && tableWidth(layout, lead), call };
}

/** Changes once the font of the page has loaded, in which texts have other widths. */
function useFont(): number {
  const [font, setFont] = useState(0);
  useEffect(() => {
    let unmounted = false;
    void document.fonts.ready.then(() => {
      if (unmounted) return;
      forgetWidths();
      setFont(1);
    });
    return () => {
      unmounted = true;
    };
  }, []);
  return font;
}

/** Arrow keys move between rows, within the same kind of control. */
function moveFocus(event: KeyboardEvent, scrollTo: (at: number) => void, rows: number): void {
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
