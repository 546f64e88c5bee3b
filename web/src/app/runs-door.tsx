/** The ways to the runs where the table is out of sight: they say when a filter keeps some from being drawn. */

import { useView } from "../state/view";
import { Button } from "../widgets/button";
import { Icon } from "../widgets/icon";
import { useWords, type WordId } from "../words/words";
import style from "./runs-door.module.css";

interface DoorProps {
  onOpen: () => void;
}

/** Opens the sheet of a narrow window. */
export function RunsButton({ onOpen }: DoorProps) {
  const { label, filtered } = useLabel("shell.openRuns");
  return (
    <Button
      look="quiet"
      icon="menu"
      className={style.door}
      label={label}
      data-filtered={filtered}
      onClick={onOpen}
    />
  );
}

/** All that is seen of a folded side bar. */
export function UnfoldStrip({ onOpen }: DoorProps) {
  const { label, filtered } = useLabel("shell.unfold");
  return (
    <button
      type="button"
      className={`${style.door} ${style.strip}`}
      aria-label={label}
      title={label}
      data-filtered={filtered}
      onClick={onOpen}
    >
      <Icon name="right" size={12} />
    </button>
  );
}

function useLabel(word: WordId): { label: string; filtered: true | undefined } {
  const say = useWords();
  const filter = useView((view) => view.runFilter);
  if (filter === "") return { label: say(word), filtered: undefined };
  return { label: `${say(word)} · ${say("nothing.runFilter")} ${filter}`, filtered: true };
}
