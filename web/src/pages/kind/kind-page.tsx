/**
 * The frame that the pages of data kinds share: a bar with the page's tools and the tag filter, and sections of tags
 * with runs on show. What a tag looks like is each page's own affair, and is built when it comes near the window.
 */

import { type ReactNode, useEffect, useMemo } from "react";
import { NoneDrawn } from "../../panels/runs/none-drawn";
import { fold, useFolds } from "../../state/fold";
import { onJump } from "../../state/jump";
import { type KnownTags, useKindTags, useRunsOn } from "../../state/kindtags";
import { type TagInfo, useStatus } from "../../state/lists";
import type { RunLook } from "../../state/looks";
import { usePattern } from "../../state/pattern-hook";
import { type Section, sections, UNGROUPED } from "../../state/sections";
import { change, useView } from "../../state/view";
import { setOrder } from "../../state/walk";
import { Button } from "../../widgets/button";
import { FoldHead } from "../../widgets/fold-head";
import { Near } from "../../widgets/near";
import { count } from "../../words/format";
import { useWords } from "../../words/words";
import { comeTo } from "./come-to";
import style from "./kind-page.module.css";
import { NoData } from "./no-data";
import { TagFilter } from "./tag-filter";

/** A tag and the runs on show that hold it, by slot. */
export interface Shown {
  tag: TagInfo;
  runs: readonly RunLook[];
}

interface KindPageProps {
  /** The name of the page and of its kind. */
  kind: string;
  /** The tags, where they are not those that the kind has in the logs. */
  found?: KnownTags;
  /** Controls in the bar. */
  tools?: ReactNode;
  /** Stands between the bar and the tags, as what a search found. */
  under?: ReactNode;
  /** Height of a tag before it is built, in px. */
  height: number;
  /** Tags whose cards stand side by side have this least width in px; 0 gives each a row. */
  cardPx?: number;
  children(shown: Shown): ReactNode;
}

export function KindPage({ kind, found: given, tools, under, height, cardPx = 0, children }: KindPageProps) {
  const say = useWords();
  const asked = useKindTags(kind, given === undefined);
  const found = given ?? asked;
  const filter = useView((view) => view.tagFilter);
  const { pattern, fault } = usePattern(filter);
  const items = useShown(found, pattern);
  const loading = useStatus().data?.loading ?? true;
  const shown = useMemo(() => sections(items.filter(({ runs }) => runs.length > 0)), [items]);
  const names = shown.map(({ name }) => name);
  const settled = found.error !== null || (found.known && !(loading && found.tags.length === 0));
  useEffect(() => {
    if (settled) document.documentElement.dataset.ready = "true";
  }, [settled]);
  useEffect(() => setOrder(shown.flatMap((section) => section.items.map((item) => item.tag))), [shown]);
  useEffect(
    () =>
      onJump((tag) => {
        const section = sectionOf(tag, shown);
        if (section !== null) comeTo(tag, section);
      }),
    [shown],
  );

  if (settled && found.tags.length === 0 && !found.error) return <NoData page={kind} />;
  return (
    <main className={style.page} data-page={kind} aria-busy={!settled}>
      <div className={style.bar} role="toolbar" aria-label={say("bar.title")}>
        {tools}
        <div className={style.grow} />
        <TagFilter className={style.filter} fault={fault} />
      </div>
      {under}
      <div className={style.scroll} id="cards" tabIndex={-1}>
        {found.error && (
          <div className={style.nothing} role="alert">
            {found.error.message}
          </div>
        )}
        {settled && !found.error && shown.length === 0 && <Nothing matching={items.length} />}
        {shown.map((section) => (
          <KindSection key={section.name} section={section} all={names}>
            <div
              className={cardPx > 0 ? style.grid : style.rows}
              style={cardPx > 0 ? { gridTemplateColumns: columnsOf(cardPx) } : undefined}
            >
              {section.items.map(({ shown: each }) => (
                <div key={each.tag.tag} className={style.item} data-item={each.tag.tag}>
                  <Near height={height} className={style.near}>
                    {children(each)}
                  </Near>
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
  runs: readonly RunLook[];
  shown: Shown;
}

/** Tags that pass the filter. */
function useShown({ tags }: KnownTags, pattern: { matches(text: string): boolean }): readonly Item[] {
  const runsOn = useRunsOn();
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

/** The section a card stands in, if the page has it. */
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
  const folded = useFolds((folds) => folds.folded.has(name));
  const alone = all.length === 1 && name === UNGROUPED;
  return (
    <section>
      {!alone && (
        <FoldHead
          className={style.head}
          title={name === UNGROUPED ? say("section.ungrouped") : name}
          count={count(items.length)}
          folded={folded}
          onFold={() => fold([name], !folded)}
          actions={
            all.length > 1 && (
              <Button look="quiet" size="small" onClick={() => fold(all, !folded)}>
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

/** The filter leaves nothing, or no run on show has any of it. */
function Nothing({ matching }: { matching: number }) {
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
      <Button look="primary" onClick={() => change({ tagFilter: "" })}>
        {say("filter.clear")}
      </Button>
    </div>
  );
}
