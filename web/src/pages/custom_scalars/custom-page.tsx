/** Custom scalars: the charts that writers laid out, as cards of several tags in the sections they chose. */

import { lazy, Suspense, useEffect, useMemo } from "react";
import { TakeAwayContext } from "../../panel/take-away";
import { foldClosed, foldName, useCustomScalars } from "../../state/customscalars";
import { useDrawn } from "../../state/drawn";
import { useFull } from "../../state/full";
import { onJump } from "../../state/jump";
import { useStatus, useTagList, useTags } from "../../state/lists";
import { usePattern } from "../../state/pattern-hook";
import { change, useView } from "../../state/view";
import { setOrder } from "../../state/walk";
import { Button } from "../../widgets/button";
import { Popover } from "../../widgets/popover";
import { useWords } from "../../words/words";
import { comeTo } from "../kind/come-to";
import style from "../kind/kind-page.module.css";
import { NoData } from "../kind/no-data";
import { TagFilter } from "../kind/tag-filter";
import { AxisChoice } from "../timeseries/axis-choice";
import { BarSettings } from "../timeseries/bar-settings";
import { Smoothing, Switches } from "../timeseries/tool-bar";
import bar from "../timeseries/tool-bar.module.css";
import { ChartSectionView } from "./chart-section";
import { type ChartCard, type ChartSection, chartSections, PINNED_TITLE } from "./charts";
import { madeOf } from "./made";
import { TakenCards, takenOf, takingAway } from "./taking";

const FullScreen = lazy(() => import("../../panels/scalars/full-screen"));

export default function CustomScalarsPage() {
  const say = useWords();
  const { data, error } = useCustomScalars();
  const known = useTagList().data !== undefined;
  const loading = useStatus().data?.loading ?? true;
  const filter = useView((view) => view.tagFilter);
  const { pattern, fault } = usePattern(filter);
  const tags = useTags();
  const drawn = useDrawn();
  const categories = data?.categories;
  const found = useMemo(
    () => (categories ? chartSections(categories, tags, drawn, pattern) : []),
    [categories, tags, drawn, pattern],
  );
  const sections = usePinnedFirst(found);
  const cards = useMemo(() => sections.flatMap((section) => section.cards), [sections]);
  const taken = useMemo(() => takenOf(cards), [cards]);
  const empty = data !== undefined && data.categories.length === 0 && data.unreadable.length === 0;
  const settled = error !== null || (data !== undefined && known && !(loading && empty));
  useEffect(() => {
    if (categories) foldClosed(categories);
  }, [categories]);
  useEffect(() => setOrder(cards.map(({ name }) => name)), [cards]);
  useEffect(
    () =>
      onJump((name) => {
        const home = sections.find((section) => section.cards.some((card) => card.name === name));
        if (home) comeTo(name, foldName(home.title));
      }),
    [sections],
  );
  useEffect(() => {
    if (settled) document.documentElement.dataset.ready = "true";
  }, [settled]);

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
            <Button look="primary" onClick={() => change({ tagFilter: "" })}>
              {say("filter.clear")}
            </Button>
          </div>
        )}
        <TakeAwayContext value={takingAway}>
          <TakenCards value={taken}>
            {known &&
              sections.map((section) => (
                <ChartSectionView
                  key={section.title}
                  section={section}
                  all={sections.map(({ title }) => title)}
                />
              ))}
            <FullDoor cards={cards} />
          </TakenCards>
        </TakeAwayContext>
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

/** The card that fills the window, brought in when it is first asked for. */
function FullDoor({ cards }: { cards: readonly ChartCard[] }) {
  const name = useFull((full) => full.tag);
  const card = cards.find((each) => each.name === name);
  const [first, ...joined] = card?.parts ?? [];
  if (!card || !first) return null;
  return (
    <Suspense fallback={null}>
      <FullScreen key={card.name} tag={first.tag} runs={first.runs} joined={joined} made={madeOf(card)} />
    </Suspense>
  );
}
