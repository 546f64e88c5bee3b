/** The Time Series page: tool bar, and sections of cards in one long list of which only the part in view exists. */

import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { ScalarCard } from "../../panels/scalars/scalar-card";
import { choiceOf } from "../../state/cards";
import { useFolds } from "../../state/fold";
import { useRunList, useRuns, useStatus, useTagList } from "../../state/lists";
import { usePattern } from "../../state/pattern-hook";
import { sections } from "../../state/sections";
import { useView } from "../../state/view";
import { observeLaidOut, scrollWhereNeeded } from "../../widgets/laid-out";
import { useCardItems } from "./cards";
import { useJump } from "./jump";
import { Nothing } from "./nothing";
import { type CardItem, type Cell, cellBox, columnsFor, GAP_PX, HEAD_PX, layRows, type Row } from "./rows";
import { SectionHead } from "./section-head";
import { Skeleton } from "./skeleton";
import style from "./time-series.module.css";
import { ToolBar } from "./tool-bar";
import { useTurns } from "./turns";

export function TimeSeries() {
  const filter = useView((view) => view.tagFilter);
  const { pattern, fault } = usePattern(filter);
  const cards = useCardItems(pattern);
  const scroll = useRef<HTMLDivElement>(null);
  const size = useSize(scroll);
  const { width } = size;
  const { rows, columns } = useRows(cards.items, width);
  const tagsKnown = useTagList().data !== undefined;
  const runsKnown = useRunList().data !== undefined;
  const known = tagsKnown && runsKnown;
  const loading = useStatus().data?.loading ?? true;
  const runs = useRuns();
  const waiting =
    !known || (loading && cards.matching === 0 && filter === "") || (loading && runs.length === 0);
  const empty = !waiting && cards.items.length === 0;

  useEffect(() => {
    if (empty) document.documentElement.dataset.ready = "true";
  }, [empty]);

  return (
    <div className={style.page}>
      <ToolBar fault={fault} />
      <div ref={scroll} className={style.scroll} id="cards" tabIndex={-1}>
        {waiting && width > 0 && <Skeleton width={width} />}
        {empty && <Nothing matching={cards.matching} filter={filter} />}
        {!waiting && !empty && width > 0 && (
          <CardList rows={rows} scroll={scroll} columns={columns} size={size} />
        )}
      </div>
    </div>
  );
}

interface Rows {
  rows: readonly Row[];
  columns: number;
}

function useRows(items: readonly CardItem[], width: number): Rows {
  const asked = useView((view) => view.columns);
  const folded = useFolds((folds) => folds.folded);
  const own = useView((view) => view.cards);
  const grouped = useMemo(() => sections(items), [items]);
  const sizes = grouped.map((section) => section.items.length);
  const columns = columnsFor(width, asked, sizes);
  const rows = useMemo(
    () => layRows(grouped, { columns, folded, isWide: (tag) => choiceOf({ cards: own }, tag).wide ?? false }),
    [grouped, columns, folded, own],
  );
  return { rows, columns };
}

interface CardListProps {
  rows: readonly Row[];
  scroll: React.RefObject<HTMLDivElement | null>;
  columns: number;
  size: Size;
}

function CardList({ rows, scroll, columns, size }: CardListProps) {
  const { width } = size;
  const heads = useMemo(() => rows.flatMap((row, at) => (row.kind === "head" ? [at] : [])), [rows]);
  const names = useMemo(() => rows.flatMap(sectionNames), [rows]);
  const stuck = useRef(0);
  const rangeExtractor = useCallback(
    (range: Range) => {
      stuck.current = heads.findLast((at) => at <= range.startIndex) ?? 0;
      return [...new Set([stuck.current, ...defaultRangeExtractor(range)])].sort((a, b) => a - b);
    },
    [heads],
  );
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: (at) => rows[at]!.height,
    getItemKey: (at) => rows[at]!.key,
    // About a screen ahead, so that a scroll finds its cards drawn.
    overscan: 2,
    rangeExtractor,
    initialRect: size,
    observeElementRect: observeLaidOut,
    scrollToFn: scrollWhereNeeded,
    paddingEnd: 24,
    // The head of a section stays on top of its cards.
    scrollPaddingStart: HEAD_PX,
    useFlushSync: false,
  });
  // Heights change with the width of the window and with wide cards; the list keeps them by key.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows, other heights
  useLayoutEffect(() => list.measure(), [rows, list]);
  useJump(rows, (at) => list.scrollToIndex(at, { align: "start" }));

  const seen = list.range;
  const isNear = (at: number) => seen !== null && (at < seen.startIndex || at > seen.endIndex);
  const items = list.getVirtualItems().filter(({ index }) => rows[index] !== undefined);
  const isBuilt = useTurns(items.map(({ key, index }) => ({ key, near: isNear(index) })));

  /** Elements with their place in the order of reading, which in a shared row is not that of the rows. */
  const elements = items.flatMap(({ index, start, key }) => {
    const row = rows[index]!;
    if (row.kind === "head") {
      const isStuck = index === stuck.current;
      return row.heads.map((head) => ({
        order: head.order,
        element: (
          <div
            key={`head ${head.section}`}
            className={isStuck ? style.stuck : style.free}
            style={isStuck ? stuckAt(head, columns, width) : placedAt(head, columns, width, start)}
          >
            <SectionHead name={head.section} count={head.count} folded={head.folded} all={names} />
          </div>
        ),
      }));
    }
    if (!isBuilt(key)) return [];
    return row.cards.map((cell) => ({
      order: cell.order,
      element: (
        <div
          key={`card ${cell.card.tag}`}
          className={style.free}
          style={{ ...placedAt(cell, columns, width, start), height: row.height - GAP_PX }}
        >
          <ScalarCard tag={cell.card.info} runs={cell.card.runs} near={isNear(index)} />
        </div>
      ),
    }));
  });
  return (
    <div className={style.list} style={{ height: list.getTotalSize() }}>
      {elements.toSorted((a, b) => a.order - b.order).map(({ element }) => element)}
    </div>
  );
}

function sectionNames(row: Row): string[] {
  return row.kind === "head" ? row.heads.map((head) => head.section) : [];
}

function placedAt(cell: Cell, columns: number, width: number, top: number): CSSProperties {
  const [left, px] = cellBox(cell, columns, width);
  return { top, left, width: px };
}

/** What sticks is in the flow, where only margins move it sideways. */
function stuckAt(cell: Cell, columns: number, width: number): CSSProperties {
  const [left, px] = cellBox(cell, columns, width);
  return { marginLeft: left, width: px };
}

interface Size {
  width: number;
  height: number;
}

/** Size of the inside of an element, without its padding; 0 until it was laid out for the first time. */
function useSize(element: React.RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    // Asking would lay the page out at once, in the middle of the work; the observer waits until it is.
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      setSize({ width: Math.floor(width), height: Math.floor(height) });
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
