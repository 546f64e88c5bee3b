/** Custom scalars: charts that writers laid out, as cards of several tags in sections. */

import { Suspense, useEffect, useMemo } from "react";
import { useWords } from "../../i18n/words";
import { usePageReady } from "../../lib/use-page-ready";
import { usePattern } from "../../lib/use-pattern";
import { Button } from "../../ui/button";
import { lazyPart } from "../../ui/lazy-part";
import { Popover } from "../../ui/popover";
import { CardExportsContext } from "../cards/card";
import style from "../cards/kind-page.module.css";
import { NoData } from "../cards/no-data";
import { scrollToCard } from "../cards/scroll-to-card";
import { TagFilter } from "../cards/tag-filter";
import { useStatus, useTagList, useTags } from "../data/lists";
import { useCardLines } from "../runs/card-lines";
import { AxisChoice, Smoothing, Switches } from "../time-series/bar-fields";
import { BarSettings } from "../time-series/bar-settings";
import bar from "../time-series/tool-bar.module.css";
import { setCardOrder } from "../view/card-navigation";
import { useFullScreenCard } from "../view/full-screen-card";
import { onJump } from "../view/jump";
import { change, useView } from "../view/view";
import { CardsByName, cardExports, cardsByName } from "./card-exports";
import { ChartSectionView } from "./chart-section";
import { type ChartCard, type ChartSection, chartSections, PINNED_TITLE } from "./charts";
import { customCardOf } from "./custom-card";
import { foldClosed, foldName, useCustomScalars } from "./custom-scalars";

const FullScreen = lazyPart(() => import("../scalars/full-screen"));

export default function CustomScalarsPage() {
  const say = useWords();
  const { data, error } = useCustomScalars();
  const known = useTagList().data !== undefined;
  const loading = useStatus().data?.loading ?? true;
  const filter = useView((view) => view.tagFilter);
  const { pattern, fault } = usePattern(filter);
  const tags = useTags();
  const cardLines = useCardLines();
  const categories = data?.categories;
  const found = useMemo(
    () => (categories ? chartSections(categories, tags, cardLines, pattern) : []),
    [categories, tags, cardLines, pattern],
  );
  const sections = usePinnedFirst(found);
  const cards = useMemo(() => sections.flatMap((section) => section.cards), [sections]);
  const exportCards = useMemo(() => cardsByName(cards), [cards]);
  const empty = data !== undefined && data.categories.length === 0 && data.unreadable.length === 0;
  const settled = error !== null || (data !== undefined && known && !(loading && empty));
  useEffect(() => {
    if (categories) foldClosed(categories);
  }, [categories]);
  useEffect(() => setCardOrder(cards.map(({ name }) => name)), [cards]);
  useEffect(
    () =>
      onJump((name) => {
        const home = sections.find((section) => section.cards.some((card) => card.name === name));
        if (home) scrollToCard(name, foldName(home.title));
      }),
    [sections],
  );
  usePageReady(settled);

  if (settled && empty) return <NoData page="custom_scalars" />;
  return (
    <main className={style.page} data-page="custom_scalars" aria-busy={!settled}>
      <div className={bar.bar} role="toolbar" aria-label={say("bar.title")}>
        <div className={bar.inner}>
          <AxisChoice />
          <Smoothing />
          <div className={bar.switches}>
            <Switches />
          </div>
          <Popover
            label={say("bar.settings")}
            align="start"
            trigger={<Button className={bar.more} icon="sliders" label={say("bar.settings")} />}
          >
            <BarSettings />
          </Popover>
          <div className={bar.grow} />
          <TagFilter className={bar.filter} fault={fault} />
        </div>
      </div>
      <div className={style.scroll} id="cards" tabIndex={-1}>
        {error && !data && (
          <div className={style.nothing} role="alert">
            {error.message}
          </div>
        )}
        {data?.unreadable.map(({ run, error: why }) => (
          <p key={run} role="alert">
            {say("custom.unreadable", { run, why })}
          </p>
        ))}
        {settled && data && sections.length === 0 && data.categories.length > 0 && (
          <div className={style.nothing}>
            <h2>{say("nothing.noMatch")}</h2>
            <Button variant="primary" onClick={() => change({ tagFilter: "" })}>
              {say("filter.clear")}
            </Button>
          </div>
        )}
        <CardExportsContext value={cardExports}>
          <CardsByName value={exportCards}>
            {known &&
              sections.map((section) => (
                <ChartSectionView
                  key={section.title}
                  section={section}
                  all={sections.map(({ title }) => title)}
                />
              ))}
            <FullScreenSlot cards={cards} />
          </CardsByName>
        </CardExportsContext>
      </div>
    </main>
  );
}

/** Pinned cards come first, in a section of their own. */
function usePinnedFirst(sections: readonly ChartSection[]): readonly ChartSection[] {
  const pins = useView((view) => view.pinned);
  return useMemo(() => {
    const all = sections.flatMap(({ cards }) => cards);
    const pinned = pins.flatMap((name) => all.find((card) => card.name === name) ?? []);
    if (pinned.length === 0) return sections;
    const rest = sections.map(({ title, cards }) => ({
      title,
      cards: cards.filter((card) => !pinned.includes(card)),
    }));
    return [{ title: PINNED_TITLE, cards: pinned }, ...rest.filter(({ cards }) => cards.length > 0)];
  }, [sections, pins]);
}

/** The full-screen card, loaded when it is first opened. */
function FullScreenSlot({ cards }: { cards: readonly ChartCard[] }) {
  const name = useFullScreenCard((full) => full.tag);
  const card = cards.find((each) => each.name === name);
  const [first, ...joined] = card?.parts ?? [];
  if (!card || !first) return null;
  return (
    <Suspense fallback={null}>
      <FullScreen
        key={card.name}
        tag={first.tag}
        runs={first.runs}
        joined={joined}
        custom={customCardOf(card)}
      />
    </Suspense>
  );
}
