/** The Time Series page: toolbar, and a virtual list of cards in sections. */

import { type RefObject, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { usePageReady } from "../../lib/use-page-ready";
import { usePattern } from "../../lib/use-pattern";
import { lazyPart } from "../../ui/lazy-part";
import { type CardExports, CardExportsContext, SectionPrefixes } from "../cards/card";
import { sectionPrefixes } from "../cards/sections";
import { useRunList, useRuns, useStatus, useTagList } from "../data/lists";
import { setCardOrder } from "../view/card-navigation";
import { choiceOf } from "../view/cards";
import { useFoldedSections } from "../view/folded-sections";
import { useFullScreenCard } from "../view/full-screen-card";
import { useView } from "../view/view";
import { CardList } from "./card-list";
import { type Cards, useCardItems } from "./cards";
import { ManyLines } from "./many-lines";
import { NoCards } from "./no-cards";
import { CARD_PX, columnsFor, GAP_PX, layRows, type Row } from "./rows";
import style from "./time-series.module.css";
import { ToolBar } from "./tool-bar";
import { useCardDrag } from "./use-card-drag";

const CardItems = lazyPart(() => import("../export/card-items"));
const DownloadLinks = lazyPart(() => import("../export/download-links"));

export function TimeSeries() {
  const filter = useView((view) => view.tagFilter);
  const { pattern, fault } = usePattern(filter);
  const cards = useCardItems(pattern);
  const scroll = useRef<HTMLDivElement>(null);
  const size = useSize(scroll);
  const { width } = size;
  const { rows, columns } = useRows(cards, width);
  useCardDrag(scroll);
  const tagsKnown = useTagList().data !== undefined;
  const runsKnown = useRunList().data !== undefined;
  const known = tagsKnown && runsKnown;
  const loading = useStatus().data?.loading ?? true;
  const runs = useRuns();
  const waiting =
    !known || (loading && cards.matching === 0 && filter === "") || (loading && runs.length === 0);
  const prefixes = useMemo(() => sectionPrefixes(cards.sections), [cards.sections]);
  const empty = !waiting && cards.sections.length === 0;
  const ready = !waiting && !empty && width > 0;
  // Rendering the first cards takes long: defer it, so that it is split while the skeleton is shown.
  const built = useDeferredValue(ready, false) && ready;

  usePageReady(empty);

  return (
    <div className={style.page}>
      <ToolBar fault={fault} />
      {!empty && <ManyLines />}
      <div ref={scroll} className={style.scroll} id="cards" tabIndex={-1}>
        {!empty && !built && width > 0 && <Skeleton width={width} />}
        {empty && cards.loaded && <NoCards matching={cards.matching} filter={filter} />}
        {built && (
          <CardExportsContext value={cardExports}>
            <SectionPrefixes value={prefixes}>
              <CardList rows={rows} scroll={scroll} columns={columns} size={size} />
            </SectionPrefixes>
          </CardExportsContext>
        )}
      </div>
      <CardExportsContext value={cardExports}>
        <FullScreenSlot cards={cards} />
      </CardExportsContext>
    </div>
  );
}

interface Rows {
  rows: readonly Row[];
  columns: number;
}

function useRows(cards: Cards, width: number): Rows {
  const chosen = useView((view) => view.columns);
  const height = useView((view) => view.cardHeight);
  const folded = useFoldedSections((folds) => folds.folded);
  const own = useView((view) => view.cards);
  // Cards of other kinds load later and must not change the columns.
  const sizes = cards.sections.map(({ items }) => items.filter(({ kind }) => kind === "scalars").length);
  const columns = columnsFor(width, chosen, sizes);
  const rows = useMemo(() => {
    const isWide = (tag: string) => choiceOf({ cards: own }, tag).wide ?? false;
    return layRows(cards.sections, { columns, folded, cardPx: CARD_PX[height], isWide });
  }, [cards.sections, columns, folded, height, own]);
  useEffect(
    () => setCardOrder([...new Set(cards.sections.flatMap(({ items }) => items.map(({ tag }) => tag)))]),
    [cards.sections],
  );
  return { rows, columns };
}

export interface Size {
  width: number;
  height: number;
}

/** The inner size of an element, without padding; 0 before its first layout. */
function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    // Measuring would force a layout in the middle of the work; the observer waits.
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      setSize({ width: Math.floor(width), height: Math.floor(height) });
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

const cardExports: CardExports = {
  Items: ({ tag }) => (
    <Suspense fallback={null}>
      <CardItems tag={tag} />
    </Suspense>
  ),
  Links: ({ tag }) => (
    <Suspense fallback={null}>
      <DownloadLinks tag={tag} />
    </Suspense>
  ),
};

const FullScreen = lazyPart(() => import("../scalars/full-screen"));

function FullScreenSlot({ cards }: { cards: Cards }) {
  const tag = useFullScreenCard((full) => full.tag);
  if (tag === null) return null;
  const item = cards.sections
    .flatMap(({ items }) => items)
    .find((each) => each.kind === "scalars" && each.tag === tag);
  if (!item) return null;
  return (
    <Suspense fallback={null}>
      <FullScreen key={tag} tag={item.info} runs={item.runs} joined={item.joined} />
    </Suspense>
  );
}

const SHOWN = 12;

/** Placeholders of the final size. They do not blink. */
function Skeleton({ width }: { width: number }) {
  const chosen = useView((view) => view.columns);
  const columns = columnsFor(width, chosen);
  const cards = Array.from({ length: SHOWN }, (_, at) => `card ${at}`);
  return (
    <div
      className={style.grid}
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, gap: GAP_PX }}
      aria-hidden="true"
    >
      {cards.map((card) => (
        <div key={card} className={style.card} />
      ))}
    </div>
  );
}
