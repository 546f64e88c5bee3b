/**
 * The frame shared by the pages of data kinds: a bar with the page's tools and the tag filter, and sections of tags
 * with visible runs. Each page renders its own tags, once they come near the window.
 */

import { type ReactNode, useEffect, useMemo } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { usePageReady } from "../../lib/use-page-ready";
import { usePattern } from "../../lib/use-pattern";
import { Button } from "../../ui/button";
import { FoldHead } from "../../ui/fold-head";
import { LazyMount } from "../../ui/lazy-mount";
import { type TagInfo, useStatus } from "../data/lists";
import { type TagsResult, useKindTags, useLineStylesForTag } from "../runs/kind-tags";
import type { LineStyle } from "../runs/line-styles";
import { setCardOrder } from "../view/card-navigation";
import { setFolded, useFoldedSections } from "../view/folded-sections";
import { onJump } from "../view/jump";
import { change, useView } from "../view/view";
import style from "./kind-page.module.css";
import { NoData } from "./no-data";
import { NoneDrawn } from "./none-drawn";
import { scrollToCard } from "./scroll-to-card";
import { sectionTitle } from "./section-title";
import { OTHERS, type Section, sections, UNGROUPED } from "./sections";
import { TagFilter } from "./tag-filter";

/** A tag and the visible runs that have it, by slot. */
export interface TagWithRuns {
  tag: TagInfo;
  runs: readonly LineStyle[];
}

interface KindPageProps {
  /** Name of the page and of its kind. */
  kind: string;
  /** The tags, if they are not those of the kind in the logs. */
  tags?: TagsResult;
  /** Controls in the bar. */
  tools?: ReactNode;
  /** Shown between the bar and the tags, such as search results. */
  under?: ReactNode;
  /** Height of a tag before it is mounted, in px. */
  height: number;
  /** Minimum width of cards placed side by side, in px; 0 gives each a row. */
  cardPx?: number;
  children(shown: TagWithRuns): ReactNode;
}

export function KindPage({ kind, tags: given, tools, under, height, cardPx = 0, children }: KindPageProps) {
  const say = useWords();
  const ownTags = useKindTags(kind, given === undefined);
  const result = given ?? ownTags;
  const filter = useView((view) => view.tagFilter);
  const { pattern, fault } = usePattern(filter);
  const items = useShown(result, pattern);
  const loading = useStatus().data?.loading ?? true;
  const shown = useMemo(() => sections(items.filter(({ runs }) => runs.length > 0)), [items]);
  const names = shown.map(({ name }) => name);
  const settled = result.error !== null || (result.loaded && !(loading && result.tags.length === 0));
  usePageReady(settled);
  useEffect(() => setCardOrder(shown.flatMap((section) => section.items.map((item) => item.tag))), [shown]);
  useEffect(
    () =>
      onJump((tag) => {
        const section = sectionOf(tag, shown);
        if (section !== null) scrollToCard(tag, section);
      }),
    [shown],
  );

  if (settled && result.tags.length === 0 && !result.error) return <NoData page={kind} />;
  return (
    <main className={style.page} data-page={kind} aria-busy={!settled}>
      <div className={style.bar} role="toolbar" aria-label={say("bar.title")}>
        {tools}
        <div className={style.grow} />
        <TagFilter className={style.filter} fault={fault} />
      </div>
      {under}
      <div className={style.scroll} id="cards" tabIndex={-1}>
        {result.error && (
          <div className={style.nothing} role="alert">
            {result.error.message}
          </div>
        )}
        {settled && !result.error && shown.length === 0 && <NoMatches matching={items.length} />}
        {shown.map((section) => (
          <KindSection key={section.name} section={section} all={names}>
            <div
              className={cardPx > 0 ? style.grid : style.rows}
              style={cardPx > 0 ? { gridTemplateColumns: columnsOf(cardPx) } : undefined}
            >
              {section.items.map(({ shown: each }) => (
                <div key={each.tag.tag} className={style.item} data-item={each.tag.tag}>
                  <LazyMount height={height} className={style.near}>
                    {children(each)}
                  </LazyMount>
                </div>
              ))}
            </div>
          </KindSection>
        ))}
      </div>
    </main>
  );
}

interface Item {
  tag: string;
  runs: readonly LineStyle[];
  shown: TagWithRuns;
}

/** Tags that pass the filter. */
function useShown({ tags }: TagsResult, pattern: { matches(text: string): boolean }): readonly Item[] {
  const runsOn = useLineStylesForTag();
  return useMemo(
    () =>
      tags
        .filter(({ tag, display_name }) => pattern.matches(tag) || pattern.matches(display_name))
        .map((tag) => {
          const runs = runsOn(tag);
          return { tag: tag.tag, runs, shown: { tag, runs } };
        }),
    [tags, pattern, runsOn],
  );
}

/** The section of a card, if the page has it. */
function sectionOf(tag: string, shown: readonly Section<Item>[]): string | null {
  return shown.find(({ items }) => items.some((item) => item.tag === tag))?.name ?? null;
}

function columnsOf(cardPx: number): string {
  return `repeat(auto-fill, minmax(min(100%, ${cardPx}px), 1fr))`;
}

interface KindSectionProps {
  section: Section<Item>;
  all: readonly string[];
  children: ReactNode;
}

function KindSection({ section: { name, items }, all, children }: KindSectionProps) {
  const say = useWords();
  const folded = useFoldedSections((folds) => folds.folded.has(name));
  const alone = all.length === 1 && (name === UNGROUPED || name === OTHERS);
  return (
    <section>
      {!alone && (
        <FoldHead
          className={style.head}
          title={sectionTitle(name, say)}
          count={count(items.length)}
          folded={folded}
          onFold={() => setFolded([name], !folded)}
          actions={
            all.length > 1 && (
              <Button variant="quiet" size="small" onClick={() => setFolded(all, !folded)}>
                {say(folded ? "section.openAll" : "section.foldAll")}
              </Button>
            )
          }
        />
      )}
      {(alone || !folded) && children}
    </section>
  );
}

/** Shown if no tag passes the filter, or no visible run has any. */
function NoMatches({ matching }: { matching: number }) {
  const say = useWords();
  if (matching > 0)
    return (
      <div className={style.nothing}>
        <NoneDrawn />
      </div>
    );
  return (
    <div className={style.nothing}>
      <h2>{say("nothing.noMatch")}</h2>
      <Button variant="primary" onClick={() => change({ tagFilter: "" })}>
        {say("filter.clear")}
      </Button>
    </div>
  );
}
