/** The cards in their sections: a virtual list. */

import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  memo,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
} from "react";
import { lazyPart } from "../../ui/lazy-part";
import { observeListRect, scrollIfNeeded } from "../../ui/virtual-list";
import { PINNED } from "../cards/sections";
import { ScalarCard } from "../scalars/scalar-card";
import { onJump } from "../view/jump";
import { type CardItem, type Cell, cellBox, GAP_PX, HEAD_PX, type Row } from "./rows";
import { PinnedHead, SectionHead } from "./section-head";
import style from "./time-series.module.css";
import { useScheduledRows } from "./use-scheduled-rows";

/** Loaded with the first of these cards. */
const ImageCard = lazyPart(async () => ({
  default: (await import("../images/image-card")).ImageCard,
}));
const HistogramCard = lazyPart(async () => ({
  default: (await import("../histograms/histogram-card")).HistogramCard,
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
  // The list measures its rows again when this function is another one: heights change with the width of the window and
  // with wide cards.
  const getItemKey = useCallback((at: number) => rows[at]!.key, [rows]);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: (at) => rows[at]!.height,
    getItemKey,
    // About a screen ahead, so that cards are drawn before they scroll into view.
    overscan: 2,
    rangeExtractor,
    initialRect: size,
    observeElementRect: observeListRect,
    scrollToFn: scrollIfNeeded,
    paddingEnd: 24,
    // The heading of a section stays on top of its cards.
    scrollPaddingStart: HEAD_PX,
    useFlushSync: false,
  });
  useJump(rows, (at) => list.scrollToIndex(at, { align: "start" }));

  const range = list.range;
  const isNear = (at: number) => range !== null && (at < range.startIndex || at > range.endIndex);
  const items = list.getVirtualItems().filter(({ index }) => rows[index] !== undefined);
  const isBuilt = useScheduledRows(items.map(({ key, index }) => ({ key, near: isNear(index) })));

  /** Elements in reading order, which in a shared row differs from the order of the rows. */
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

const AnyCard = memo(function AnyCard({ card, near }: { card: CardItem; near: boolean }) {
  const { kind, info, runs, joined } = card;
  if (kind === "scalars") return <ScalarCard tag={info} runs={runs} joined={joined} near={near} />;
  const Other = kind === "images" ? ImageCard : HistogramCard;
  return (
    <Suspense fallback={null}>
      <Other tag={info} runs={runs} near={near} />
    </Suspense>
  );
});

function sectionNames(row: Row): string[] {
  const names = row.kind === "head" ? row.heads.map((head) => head.section) : [];
  return names.filter((name) => name !== PINNED);
}

function placedAt(cell: Cell, columns: number, width: number, top: number): CSSProperties {
  const [left, px] = cellBox(cell, columns, width);
  return { top, left, width: px };
}

/** Sticky elements are in the flow, where only margins move them sideways. */
function stuckAt(cell: Cell, columns: number, width: number): CSSProperties {
  const [left, px] = cellBox(cell, columns, width);
  return { marginLeft: left, width: px };
}

const FLASH_MS = 1200;

function useJump(rows: readonly Row[], scrollTo: (at: number) => void): void {
  const latest = useRef({ rows, scrollTo });
  latest.current = { rows, scrollTo };
  useEffect(
    () =>
      onJump((tag) => {
        const { rows: now, scrollTo: go } = latest.current;
        const at = now.findIndex(
          (row) => row.kind === "cards" && row.cards.some(({ card }) => card.tag === tag),
        );
        if (at < 0) return;
        go(at);
        setTimeout(() => flash(tag), 50);
      }),
    [],
  );
}

/** Briefly highlights the card. */
function flash(tag: string): void {
  const card = document.querySelector<HTMLElement>(`[data-testid="card"][data-tag="${CSS.escape(tag)}"]`);
  if (!card) return;
  card.dataset.flash = "";
  card.querySelector<HTMLElement>('[role="img"]')?.focus({ preventScroll: true });
  setTimeout(() => delete card.dataset.flash, FLASH_MS);
}
