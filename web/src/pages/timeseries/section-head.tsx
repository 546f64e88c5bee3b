import { fold } from "../../state/fold";
import { UNGROUPED } from "../../state/sections";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icon";
import { count as countText } from "../../words/format";
import { useWords } from "../../words/words";
import style from "./section-head.module.css";

interface SectionHeadProps {
  name: string;
  count: number;
  folded: boolean;
  /** Names of all sections of the page. */
  all: readonly string[];
}

export function SectionHead({ name, count, folded, all }: SectionHeadProps) {
  const say = useWords();
  return (
    <div className={style.head}>
      <h2>
        <button
          type="button"
          className={style.fold}
          aria-expanded={!folded}
          onClick={() => fold([name], !folded)}
        >
          <Icon name="down" size={14} />
          <bdi className={style.name}>{name === UNGROUPED ? say("section.ungrouped") : name}</bdi>
          <span className={style.count}>{countText(count)}</span>
        </button>
      </h2>
      {all.length > 1 && (
        <Button className={style.all} look="quiet" size="small" onClick={() => fold(all, !folded)}>
          {say(folded ? "section.openAll" : "section.foldAll")}
        </Button>
      )}
    </div>
  );
}
