/** A category of a layout: its heading, which folds it, and its charts as cards in a grid. */

import { type CSSProperties, memo, useMemo, useRef } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { FoldHead } from "../../ui/fold-head";
import { Card } from "../cards/card";
import head from "../cards/kind-page.module.css";
import { ScalarCard } from "../scalars/scalar-card";
import { useCardVisibility } from "../scalars/use-card-visibility";
import { CARD_PX } from "../time-series/rows";
import { useChoice } from "../view/cards";
import { setFolded, useFoldedSections } from "../view/folded-sections";
import { clearPins } from "../view/pins";
import { useView } from "../view/view";
import style from "./chart-section.module.css";
import { type ChartCard, type ChartSection, PINNED_TITLE } from "./charts";
import { ChartTitle, customCardOf } from "./custom-card";
import { foldName } from "./custom-scalars";
import { LayoutErrors } from "./layout-errors";

interface ChartSectionProps {
  section: ChartSection;
  all: readonly string[];
}

export function ChartSectionView({ section: { title, cards }, all }: ChartSectionProps) {
  const say = useWords();
  const folded = useFoldedSections((folds) => folds.folded.has(foldName(title)));
  const columns = useView((view) => view.columns);
  const height = useView((view) => view.cardHeight);
  const pinned = title === PINNED_TITLE;
  const name = pinned ? say("pins.title") : title || say("section.ungrouped");
  return (
    <section aria-label={name}>
      <FoldHead
        className={head.head}
        title={name}
        count={count(cards.length)}
        folded={folded}
        onFold={() => setFolded([foldName(title)], !folded)}
        actions={
          pinned ? (
            <Button variant="quiet" size="small" onClick={clearPins}>
              {say("pins.clear")}
            </Button>
          ) : (
            all.length > 1 && (
              <Button variant="quiet" size="small" onClick={() => setFolded(all.map(foldName), !folded)}>
                {say(folded ? "section.openAll" : "section.foldAll")}
              </Button>
            )
          )
        }
      />
      {!folded && (
        <div className={style.grid} style={gridStyle(columns, CARD_PX[height])}>
          {cards.map((card) => (
            <Place key={card.name} card={card} />
          ))}
        </div>
      )}
    </section>
  );
}

function gridStyle(columns: number, height: number): CSSProperties {
  const least = columns === 0 ? "minmax(min(300px, 100%), 1fr)" : "minmax(0, 1fr)";
  return {
    gridTemplateColumns: `repeat(${columns === 0 ? "auto-fill" : columns}, ${least})`,
    gridAutoRows: height,
  };
}

/** Reserves the place of a card until it comes near the window. */
const Place = memo(function Place({ card }: { card: ChartCard }) {
  const place = useRef<HTMLDivElement>(null);
  const visibility = useCardVisibility(place);
  const wide = useChoice(card.name).wide ?? false;
  return (
    <div
      ref={place}
      className={wide ? style.wide : style.place}
      data-item={card.name}
      data-faults={card.faults.length || undefined}
    >
      {visibility.mounted && <Chart card={card} near={visibility.near} />}
    </div>
  );
});

function Chart({ card, near }: { card: ChartCard; near: boolean }) {
  const [first] = card.parts;
  const joined = useMemo(() => card.parts.slice(1), [card]);
  return first ? (
    <ScalarCard tag={first.tag} runs={first.runs} joined={joined} custom={customCardOf(card)} near={near} />
  ) : (
    <Card tag={card.name} title={<ChartTitle card={card} />} summary={null} actions={null}>
      <LayoutErrors faults={card.faults} whole />
    </Card>
  );
}
