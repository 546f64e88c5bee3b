/** What a card of a layout is called, which of its tags has which dash, and what is wrong with it. */

import { shortNames } from "../../base/short-names";
import { Dash } from "../../panels/scalars/joined-title";
import type { MadeCard } from "../../panels/scalars/scalar-card";
import { useWords } from "../../words/words";
import type { ChartCard } from "./charts";
import { Faults } from "./faults";
import style from "./made.module.css";

/** More are counted, and named by the tip. */
const MOST_NAMED = 8;

const made = new WeakMap<ChartCard, MadeCard>();

/** The same for the same card: cards are drawn again for nothing less. */
export function madeOf(card: ChartCard): MadeCard {
  const known = made.get(card);
  if (known) return known;
  const { name, margins, faults } = card;
  const foot = (
    <>
      <TagKey tags={drawnTags(card)} />
      {faults.length > 0 && <Faults faults={faults} />}
    </>
  );
  const fresh = { name, title: <ChartTitle card={card} />, margins, foot };
  made.set(card, fresh);
  return fresh;
}

function drawnTags({ parts, margins }: ChartCard): string[] {
  return margins?.map(({ value }) => value) ?? parts.map(({ tag }) => tag.tag);
}

export function ChartTitle({ card }: { card: ChartCard }) {
  return (
    <h3 className={style.title} dir="auto" title={[card.title, ...drawnTags(card)].join("\n")}>
      {card.title}
    </h3>
  );
}

function TagKey({ tags }: { tags: readonly string[] }) {
  const say = useWords();
  const { each } = shortNames(tags);
  if (tags.length < 2) return null;
  if (tags.length > MOST_NAMED)
    return (
      <p className={style.count} title={tags.join("\n")}>
        {say("custom.tags", { count: tags.length })}
      </p>
    );
  return (
    <ul className={style.key}>
      {tags.map((tag, at) => (
        <li key={tag} title={tag} data-testid="chart-tag" data-tag-name={tag}>
          <Dash place={at} />
          <bdi>{each[at]}</bdi>
        </li>
      ))}
    </ul>
  );
}
