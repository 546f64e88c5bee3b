/** The heading of a section, and that of the pinned cards: folding, count, and actions for all of its cards. */

import { useMemo } from "react";
import { count as countText } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { sharedPrefix } from "../../lib/short-names";
import { Button } from "../../ui/button";
import { FoldHead } from "../../ui/fold-head";
import { sectionTitle } from "../cards/section-title";
import { PINNED } from "../cards/sections";
import { type Pair, pairsOf } from "../cards/validation-pairs";
import { useTags } from "../data/lists";
import { ExportButton } from "../export/export-button";
import { setFolded } from "../view/folded-sections";
import { cardOf, withJoined } from "../view/joins";
import { clearPins } from "../view/pins";
import { commit, useView } from "../view/view";
import style from "./section-head.module.css";

interface SectionHeadProps {
  name: string;
  /** Tags that name its charts. */
  tags: readonly string[];
  /** Number of its cards of all kinds. */
  count: number;
  folded: boolean;
  /** Names of all sections of the page. */
  all: readonly string[];
}

export function SectionHead({ name, tags, count, folded, all }: SectionHeadProps) {
  const say = useWords();
  const title = sectionTitle(name, say);
  return (
    <FoldHead
      title={title === name ? sharedPrefixOf(name, tags) : title}
      count={countText(count)}
      folded={folded}
      onFold={() => setFolded([name], !folded)}
      beside={!folded && <PairHint tags={tags} />}
      actions={
        <>
          {tags.length > 0 && (
            <ExportButton label={say("take.section", { section: title })} title={title} tags={() => tags} />
          )}
          {all.length > 1 && (
            <Button
              className={style.all}
              variant="quiet"
              size="small"
              onClick={() => setFolded(all, !folded)}
            >
              {say(folded ? "section.openAll" : "section.foldAll")}
            </Button>
          )}
        </>
      }
    />
  );
}

/** The common prefix of its tags, which their titles leave out: at least its name. */
function sharedPrefixOf(name: string, tags: readonly string[]): string {
  const shared = tags.length > 1 ? sharedPrefix(tags).slice(0, -1) : "";
  return shared.length > name.length ? shared : name;
}

export function PinnedHead({ count, folded }: { count: number; folded: boolean }) {
  const say = useWords();
  return (
    <FoldHead
      data-testid="pinned-strip"
      data-count={count}
      title={say("pins.title")}
      count={countText(count)}
      folded={folded}
      onFold={() => setFolded([PINNED], !folded)}
      actions={
        <Button variant="quiet" size="small" onClick={clearPins}>
          {say("pins.clear")}
        </Button>
      }
    />
  );
}

/** A hint that training and validation could share a card: one click joins all pairs of the section. */
function PairHint({ tags }: { tags: readonly string[] }) {
  const say = useWords();
  const names = useTags();
  const joined = useView((view) => view.joined);
  const pairs = useMemo(() => {
    const own = new Set(tags);
    const found = pairsOf(names.map(({ tag }) => tag)).filter(({ train }) => own.has(train));
    return found.filter(({ train, validation }) => cardOf(joined, validation) !== cardOf(joined, train));
  }, [names, tags, joined]);
  if (pairs.length === 0) return null;
  const section = partnerOf(pairs[0]!);
  const sentence = say("section.join", { count: pairs.length, section });
  return (
    <Button
      className={style.hint}
      variant="quiet"
      size="small"
      icon="plus"
      data-testid="pair-hint"
      aria-label={sentence}
      title={sentence}
      onClick={() => joinAll(pairs)}
    >
      <span className={style.sentence}>{sentence}</span>
      <bdi className={style.partner}>{section}</bdi>
    </Button>
  );
}

/** Joins all pairs in one undo step. */
function joinAll(pairs: readonly Pair[]): void {
  const { joined, pinned } = useView.getState();
  const next = pairs.reduce((all, { train, validation }) => withJoined(all, train, validation), joined);
  commit({ joined: next, pinned: pinned.filter((tag) => cardOf(next, tag) === tag) });
}

/** The word for validation: "eval" of "train/loss" and "eval/loss". */
function partnerOf({ train, validation }: Pair): string {
  const others = train.split("/");
  return validation.split("/").find((part, at) => part !== others[at]) ?? validation;
}
