/** The title of a card of a layout, the legend of dashes by tag, and errors. */

import { useWords } from "../../i18n/words";
import { shortNames } from "../../lib/short-names";
import { Dash } from "../scalars/joined-title";
import type { CustomCard } from "../scalars/scalar-card";
import type { ChartCard } from "./charts";
import style from "./custom-card.module.css";
import { LayoutErrors } from "./layout-errors";

/** More names are only counted, and listed in the tooltip. */
const MAX_NAMED = 8;

const customCards = new WeakMap<ChartCard, CustomCard>();

/** The same object for the same card, so that cards do not render again needlessly. */
export function customCardOf(card: ChartCard): CustomCard {
  const known = customCards.get(card);
  if (known) return known;
  const { name, margins, faults } = card;
  const foot = (
    <>
      <TagKey tags={drawnTags(card)} />
      {faults.length > 0 && <LayoutErrors faults={faults} />}
    </>
  );
  const fresh = { name, title: <ChartTitle card={card} />, margins, foot };
  customCards.set(card, fresh);
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
  if (tags.length > MAX_NAMED)
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
