/** The cards in their sections: one long list of which only the part in view exists. */

import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  lazy,
  type RefObject,
  Suspense,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
} from "react";
import { ScalarCard } from "../../panels/scalars/scalar-card";
import { PINNED } from "../../state/sections";
import { observeLaidOut, scrollWhereNeeded } from "../../widgets/laid-out";
import { useJump } from "./jump";
import { type CardItem, type Cell, cellBox, GAP_PX, HEAD_PX, type Row } from "./rows";
import { PinnedHead, SectionHead } from "./section-head";
import style from "./time-series.module.css";
import { useTurns } from "./turns";

/** Their code comes when the first of them does. */
const ImageCard = lazy(async () => ({ default: (await import("../../panels/images/image-card")).ImageCard }));
const HistogramCard = lazy(async () => ({
  default: (await import("../../panels/histograms/histogram-card")).HistogramCard,
}));

interface CardListProps {
  rows: readonly Row[];
  scroll: RefObject<HTMLDivElement | null>;
  columns: number;
  size: { width: number; height: number };
}

export function CardList({ rows, scroll, columns, size }: CardListProps) {
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
            {head.section === PINNED ? (
              <PinnedHead count={head.count} folded={head.folded} />
            ) : (
              <SectionHead
                name={head.section}
                tags={head.tags}
                count={head.count}
                folded={head.folded}
                all={names}
              />
            )}
          </div>
        ),
      }));
    }
    if (!isBuilt(key)) return [];
    return row.cards.map((cell) => ({
      order: cell.order,
      element: (
        <div
          key={`card ${cell.card.key}`}
          className={style.free}
          style={{ ...placedAt(cell, columns, width, start), height: row.height - GAP_PX }}
          data-card={cell.card.kind === "scalars" ? cell.card.tag : undefined}
          data-pinned={cell.pinned ? "" : undefined}
        >
          <AnyCard card={cell.card} near={isNear(index)} />
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

function AnyCard({ card: { kind, info, runs, joined }, near }: { card: CardItem; near: boolean }) {
  if (kind === "scalars") return <ScalarCard tag={info} runs={runs} joined={joined} near={near} />;
  const Other = kind === "images" ? ImageCard : HistogramCard;
  return (
    <Suspense fallback={null}>
      <Other tag={info} runs={runs} near={near} />
    </Suspense>
  );
}

function sectionNames(row: Row): string[] {
  const names = row.kind === "head" ? row.heads.map((head) => head.section) : [];
  return names.filter((name) => name !== PINNED);
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
