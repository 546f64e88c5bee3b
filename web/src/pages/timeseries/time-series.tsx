/** The Time Series page: tool bar, and sections of cards in one long list of which only the part in view exists. */

import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { ScalarCard } from "../../panels/scalars/scalar-card";
import { useCards } from "../../state/cards";
import { useFolds } from "../../state/fold";
import { useRunList, useRuns, useStatus, useTagList } from "../../state/lists";
import { usePattern } from "../../state/pattern-hook";
import { sections } from "../../state/sections";
import { useView } from "../../state/view";
import { useCardItems } from "./cards";
import { useJump } from "./jump";
import { Nothing } from "./nothing";
import { type CardItem, columnsFor, HEAD_PX, layRows, type Row } from "./rows";
import { SectionHead } from "./section-head";
import { Skeleton } from "./skeleton";
import style from "./time-series.module.css";
import { ToolBar } from "./tool-bar";

export function TimeSeries() {
  const filter = useView((view) => view.tagFilter);
  const { pattern, fault } = usePattern(filter);
  const cards = useCardItems(pattern);
  const scroll = useRef<HTMLDivElement>(null);
  const width = useWidth(scroll);
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
        {waiting && <Skeleton width={width} />}
        {empty && <Nothing matching={cards.matching} filter={filter} />}
        {!waiting && !empty && width > 0 && <CardList rows={rows} scroll={scroll} columns={columns} />}
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
  const choices = useCards((cards) => cards.choices);
  const grouped = useMemo(() => sections(items), [items]);
  const largest = grouped.reduce((most, section) => Math.max(most, section.items.length), 0);
  const columns = columnsFor(width, asked, largest);
  const rows = useMemo(
    () => layRows(grouped, { columns, folded, isWide: (tag) => choices.get(tag)?.wide ?? false }),
    [grouped, columns, folded, choices],
  );
  return { rows, columns };
}

interface CardListProps {
  rows: readonly Row[];
  scroll: React.RefObject<HTMLDivElement | null>;
  columns: number;
}

function CardList({ rows, scroll, columns }: CardListProps) {
  const heads = useMemo(() => rows.flatMap((row, at) => (row.kind === "head" ? [at] : [])), [rows]);
  const names = useMemo(() => rows.flatMap((row) => (row.kind === "head" ? [row.section] : [])), [rows]);
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
  return (
    <div className={style.list} style={{ height: list.getTotalSize() }}>
      {list.getVirtualItems().map(({ index, start, key }) => {
        const row = rows[index];
        if (!row) return null;
        if (row.kind === "head") {
          const isStuck = index === stuck.current;
          return (
            <div
              key={key}
              className={isStuck ? style.stuck : style.free}
              style={isStuck ? undefined : { transform: `translateY(${start}px)` }}
            >
              <SectionHead name={row.section} count={row.count} folded={row.folded} all={names} />
            </div>
          );
        }
        const near = seen !== null && (index < seen.startIndex || index > seen.endIndex);
        return (
          <div
            key={key}
            className={style.row}
            style={{
              height: row.height,
              transform: `translateY(${start}px)`,
              gridTemplateColumns: `repeat(${row.wide ? 1 : columns}, minmax(0, 1fr))`,
            }}
          >
            {row.cards.map((card) => (
              <ScalarCard key={card.tag} tag={card.info} runs={card.runs} near={near} />
            ))}
          </div>
        );
      })}
    </div>
  );
}

/** Width of the inside of an element, without its padding; 0 until it is known. */
function useWidth(element: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const box = element.current!;
    const measure = () => {
      const { paddingLeft, paddingRight } = getComputedStyle(box);
      setWidth(box.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
