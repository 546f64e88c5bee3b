/**
 * The headers of the run table: they sort, are dragged to other positions and widths, and open the menu of a column.
 */

// biome-ignore-all lint/a11y/useSemanticElements: rows that come and go as one scrolls cannot be those of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in the cells has the focus

import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Check } from "../../ui/check";
import { headerAt } from "../../ui/header-at";
import type { Anchor } from "../runs/anchor";
import type { Column } from "../runs/column";
import { moveColumn, setWidth, sortBy } from "../runs/table-columns";
import { useView } from "../view/view";
import { type HeadText, headText } from "./cell-text";
import type { ColumnLayout } from "./column-widths";
import style from "./heads.module.css";

interface HeadsProps {
  columns: readonly ColumnLayout[];
  /** All columns, including those that do not fit. */
  all: readonly Column[];
  on: number;
  of: number;
  /** The state of the checkbox of all filtered rows. */
  checked: boolean | "mixed";
  families: boolean;
  onAll(): void;
  onMenu(column: Column, anchor: Anchor): void;
}

export function Heads({ columns, all, on, of, checked, families, onAll, onMenu }: HeadsProps) {
  const say = useWords();
  const texts = columns.map(({ column, absent, cut }) => headText(column, families || cut, absent));
  const spans = families ? familySpans(columns, texts) : [];
  return (
    <div role="row" aria-rowindex={1} className={style.heads} data-families={families || undefined}>
      <div role="columnheader" className={style.lead} aria-sort={useSorted("name")}>
        <label className={style.box}>
          <Check
            checked={checked}
            disabled={of === 0}
            onChange={onAll}
            aria-label={say("runs.all")}
            title={say("runs.all")}
          />
        </label>
        <SortButton
          id="name"
          text={{
            family: "",
            name: say("runs.head", { on: count(on), of: count(of) }),
            stat: "",
            full: say("runs.title"),
          }}
        />
      </div>
      {columns.map((layout, at) => (
        <Head
          key={layout.column.id}
          layout={layout}
          text={texts[at]!}
          familyPx={spans[at] ?? 0}
          all={all}
          onMenu={onMenu}
        />
      ))}
    </div>
  );
}

const FAMILY_GAP_PX = 14;

/** For the first column of each family, the width of the family; 0 for the others. */
function familySpans(columns: readonly ColumnLayout[], texts: readonly HeadText[]): number[] {
  const spans = columns.map(() => 0);
  let first = -1;
  columns.forEach(({ px }, at) => {
    const { family } = texts[at]!;
    if (family !== texts[at - 1]?.family) first = family === "" ? -1 : at;
    if (first >= 0) spans[first]! += px;
  });
  return spans;
}

interface HeadProps {
  layout: ColumnLayout;
  text: HeadText;
  /** Width of its family, written over its first column; 0 for the others. */
  familyPx: number;
  all: readonly Column[];
  onMenu(column: Column, anchor: Anchor): void;
}

const DRAG_PX = 6;
const KEY_STEP_PX = 8;

function Head({
  layout: { column, px, text: words, apart, absent },
  text,
  familyPx,
  all,
  onMenu,
}: HeadProps) {
  const say = useWords();
  const drag = useColumnDrag(column, all);
  const place = all.findIndex(({ id }) => id === column.id);
  const key = (event: KeyboardEvent) => {
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (event.key === "ContextMenu" || (event.shiftKey && event.key === "F10"))
      onMenu(column, event.target as HTMLElement);
    else if (step !== 0 && event.altKey) moveColumn(all, column.id, place + step);
    else if (step !== 0 && event.shiftKey) setWidth(column.id, px + step * KEY_STEP_PX);
    else return;
    event.preventDefault();
  };
  return (
    <div
      role="columnheader"
      className={words ? `${style.head} ${style.words}` : style.head}
      style={{ width: px, paddingRight: apart }}
      aria-sort={useSorted(column.id)}
      data-testid="column-head"
      data-column={column.id}
      data-absent={absent || undefined}
      onKeyDown={key}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu(column, { x: event.clientX, y: event.clientY });
      }}
      {...drag}
    >
      {familyPx > 0 && (
        <span className={style.family} style={{ width: familyPx - FAMILY_GAP_PX }}>
          {text.family}
        </span>
      )}
      <SortButton
        id={column.id}
        text={text}
        tip={absent ? say("table.notLoggedTip") : say("table.headTip", { column: text.full })}
      />
      <Edge id={column.id} px={px} />
    </div>
  );
}

function useSorted(id: string): "ascending" | "descending" | undefined {
  const by = useView((view) => view.sort.find(({ column }) => column === id));
  return by && (by.down ? "descending" : "ascending");
}

function SortButton({ id, text, tip }: { id: string; text: HeadText; tip?: string }) {
  const sort = useView((view) => view.sort);
  const at = sort.findIndex(({ column }) => column === id);
  const down = sort[at]?.down;
  return (
    <button
      type="button"
      className={style.sort}
      data-sorted={at >= 0 || undefined}
      title={tip}
      onClick={(event) => sortBy(id, event.shiftKey)}
    >
      <span className={style.text}>
        <span className={style.name}>{text.name}</span>
        {text.stat !== "" && <span className={style.stat}> {text.stat}</span>}
      </span>
      {at >= 0 && (
        <span className={style.order} aria-hidden="true">
          {down ? "↓" : "↑"}
          {sort.length > 1 && <sub>{at + 1}</sub>}
        </span>
      )}
    </button>
  );
}

/** The edge of a header, dragged to resize. With keys: Shift and arrows on the header. */
function Edge({ id, px }: { id: string; px: number }) {
  const grip = useRef<{ x: number; px: number } | null>(null);
  return (
    <span
      className={style.edge}
      aria-hidden="true"
      onPointerDown={(event) => {
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        grip.current = { x: event.clientX, px };
      }}
      onPointerMove={(event) => {
        // Dragging left widens: names at the left give way.
        if (grip.current) setWidth(id, grip.current.px - (event.clientX - grip.current.x));
      }}
      onPointerUp={() => {
        grip.current = null;
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    />
  );
}

/** Dragging a header along the others. The click that ends a drag does not sort. */
function useColumnDrag(column: Column, all: readonly Column[]) {
  const from = useRef<number | null>(null);
  const dragged = useRef(false);
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      from.current = event.button === 0 ? event.clientX : null;
      dragged.current = false;
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (from.current === null || (!dragged.current && Math.abs(event.clientX - from.current) < DRAG_PX))
        return;
      if (!dragged.current) event.currentTarget.setPointerCapture(event.pointerId);
      dragged.current = true;
      event.currentTarget.dataset.dragging = "";
      const to = headerAt(event);
      if (to === null || to === column.id) return;
      moveColumn(
        all,
        column.id,
        all.findIndex(({ id }) => id === to),
      );
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      from.current = null;
      delete event.currentTarget.dataset.dragging;
    },
    onClickCapture: (event: { preventDefault(): void; stopPropagation(): void }) => {
      if (!dragged.current) return;
      dragged.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
