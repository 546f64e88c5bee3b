/** The Time Series page: tool bar, and sections of cards in one long list of which only the part in view exists. */

import { type RefObject, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { SaidBefore } from "../../panel/card";
import { TakeAwayContext } from "../../panel/take-away";
import { choiceOf } from "../../state/cards";
import { useFolds } from "../../state/fold";
import { useRunList, useRuns, useStatus, useTagList } from "../../state/lists";
import { usePattern } from "../../state/pattern-hook";
import { saidBefore } from "../../state/sections";
import { useView } from "../../state/view";
import { setOrder } from "../../state/walk";
import { CardList } from "./card-list";
import { type Cards, useCardItems } from "./cards";
import { useCardDrag } from "./drag";
import { FullDoor } from "./full-door";
import { Nothing } from "./nothing";
import { CARD_PX, columnsFor, layRows, type Row } from "./rows";
import { Skeleton } from "./skeleton";
import { takingAway } from "./taking-away";
import style from "./time-series.module.css";
import { ToolBar } from "./tool-bar";

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
  const said = useMemo(() => saidBefore(cards.sections), [cards.sections]);
  const empty = !waiting && cards.sections.length === 0;
  const ready = !waiting && !empty && width > 0;
  // The first cards are much to draw: they are made in slices, behind the picture that stands for them.
  const built = useDeferredValue(ready, false) && ready;

  useEffect(() => {
    if (empty) document.documentElement.dataset.ready = "true";
  }, [empty]);

  return (
    <div className={style.page}>
      <ToolBar fault={fault} />
      <div ref={scroll} className={style.scroll} id="cards" tabIndex={-1}>
        {!empty && !built && width > 0 && <Skeleton width={width} />}
        {empty && cards.known && <Nothing matching={cards.matching} filter={filter} />}
        {built && (
          <TakeAwayContext value={takingAway}>
            <SaidBefore value={said}>
              <CardList rows={rows} scroll={scroll} columns={columns} size={size} />
            </SaidBefore>
          </TakeAwayContext>
        )}
      </div>
      <TakeAwayContext value={takingAway}>
        <FullDoor cards={cards} />
      </TakeAwayContext>
    </div>
  );
}

interface Rows {
  rows: readonly Row[];
  columns: number;
}

function useRows(cards: Cards, width: number): Rows {
  const asked = useView((view) => view.columns);
  const height = useView((view) => view.cardHeight);
  const folded = useFolds((folds) => folds.folded);
  const own = useView((view) => view.cards);
  // Cards of other kinds come later, and must not change the columns.
  const sizes = cards.sections.map(({ items }) => items.filter(({ kind }) => kind === "scalars").length);
  const columns = columnsFor(width, asked, sizes);
  const rows = useMemo(() => {
    const isWide = (tag: string) => choiceOf({ cards: own }, tag).wide ?? false;
    return layRows(cards.sections, { columns, folded, cardPx: CARD_PX[height], isWide });
  }, [cards.sections, columns, folded, height, own]);
  useEffect(
    () => setOrder([...new Set(cards.sections.flatMap(({ items }) => items.map(({ tag }) => tag)))]),
    [cards.sections],
  );
  return { rows, columns };
}

export interface Size {
  width: number;
  height: number;
}

/** Size of the inside of an element, without its padding; 0 until it was laid out for the first time. */
function useSize(element: RefObject<HTMLElement | null>): Size {
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
