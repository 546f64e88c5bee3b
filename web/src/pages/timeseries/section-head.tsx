/** The head of a section, and that of the pinned cards: fold, count, and what can be done with all of them. */

import { useMemo } from "react";
import { TakeAway } from "../../panels/export/take-away";
import { fold } from "../../state/fold";
import { cardOf, withJoined } from "../../state/joins";
import { useTags } from "../../state/lists";
import { type Pair, pairsOf } from "../../state/pairs";
import { clearPins } from "../../state/pins";
import { PINNED, UNGROUPED } from "../../state/sections";
import { commit, useView } from "../../state/view";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icon";
import { count as countText } from "../../words/format";
import { useWords } from "../../words/words";
import style from "./section-head.module.css";

interface SectionHeadProps {
  name: string;
  /** Tags that name its cards. */
  tags: readonly string[];
  folded: boolean;
  /** Names of all sections of the page. */
  all: readonly string[];
}

export function SectionHead({ name, tags, folded, all }: SectionHeadProps) {
  const say = useWords();
  const title = name === UNGROUPED ? say("section.ungrouped") : name;
  return (
    <div className={style.head}>
      <Fold name={name} title={title} count={tags.length} folded={folded} />
      {!folded && <PairHint tags={tags} />}
      <span className={style.grow} />
      <span className={style.quiet}>
        <TakeAway label={say("take.section", { section: title })} title={title} tags={() => tags} />
      </span>
      {all.length > 1 && (
        <Button className={style.all} look="quiet" size="small" onClick={() => fold(all, !folded)}>
          {say(folded ? "section.openAll" : "section.foldAll")}
        </Button>
      )}
    </div>
  );
}

export function PinnedHead({ count, folded }: { count: number; folded: boolean }) {
  const say = useWords();
  return (
    <div className={style.head} data-testid="pinned-strip" data-count={count}>
      <Fold name={PINNED} title={say("pins.title")} count={count} folded={folded} />
      <span className={style.grow} />
      <Button className={style.all} look="quiet" size="small" onClick={clearPins}>
        {say("pins.clear")}
      </Button>
    </div>
  );
}

interface FoldProps {
  name: string;
  title: string;
  count: number;
  folded: boolean;
}

function Fold({ name, title, count, folded }: FoldProps) {
  return (
    <h2>
      <button
        type="button"
        className={style.fold}
        aria-expanded={!folded}
        onClick={() => fold([name], !folded)}
      >
        <Icon name="down" size={14} />
        <bdi className={style.name}>{title}</bdi>
        <span className={style.count}>{countText(count)}</span>
      </button>
    </h2>
  );
}

/** Training and validation that could stand in one card: one click brings all pairs of the section together. */
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
  return (
    <Button
      className={style.hint}
      look="quiet"
      size="small"
      icon="plus"
      data-testid="pair-hint"
      onClick={() => joinAll(pairs)}
    >
      {say("section.join", { count: pairs.length, section: partnerOf(pairs[0]!) })}
    </Button>
  );
}

/** One step for all of them. */
function joinAll(pairs: readonly Pair[]): void {
  const { joined, pinned } = useView.getState();
  const next = pairs.reduce((all, { train, validation }) => withJoined(all, train, validation), joined);
  commit({ joined: next, pinned: pinned.filter((tag) => cardOf(next, tag) === tag) });
}

/** The word that tells validation from training: "eval" of "train/loss" and "eval/loss". */
function partnerOf({ train, validation }: Pair): string {
  const others = train.split("/");
  return validation.split("/").find((part, at) => part !== others[at]) ?? validation;
}
