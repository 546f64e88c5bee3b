/** The title of a card of several tags: their common part, and each tag with its dash as a legend. */

import { useWords } from "../../i18n/words";
import { shortNames } from "../../lib/short-names";
import { Icon } from "../../ui/icon";
import { dashLengths } from "../runs/slot";
import { separate } from "../view/joins";
import style from "./joined-title.module.css";

export function JoinedTitle({ tags }: { tags: readonly string[] }) {
  const say = useWords();
  const { common, each } = shortNames(tags);
  return (
    <h3 className={style.title}>
      {common !== "" && <bdi className={style.common}>{common}</bdi>}
      {tags.map((tag, at) => (
        <span key={tag} className={style.tag} title={tag} data-testid="joined-tag" data-tag-name={tag}>
          <Dash place={at} />
          <bdi className={style.name}>{each[at]}</bdi>
          <button
            type="button"
            className={style.out}
            aria-label={say("card.separate", { tag })}
            title={say("card.separate", { tag })}
            onClick={() => separate(tag)}
          >
            <Icon name="close" size={10} />
          </button>
        </span>
      ))}
    </h3>
  );
}

/** A line sample with the dash of the tag at this index. */
export function Dash({ place }: { place: number }) {
  return (
    <svg width="18" height="6" className={style.dash} aria-hidden="true" focusable="false">
      <path d="M0 3h18" strokeWidth="1.5" strokeDasharray={dashLengths(place).join(" ")} />
    </svg>
  );
}
