/** Buttons for the run table when it is hidden; they show whether a filter is active. */

import { useWords, type WordId } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { useView } from "../view/view";
import style from "./runs-button.module.css";

interface RunsButtonProps {
  onOpen: () => void;
}

/** Opens the sheet in a narrow window. */
export function RunsButton({ onOpen }: RunsButtonProps) {
  const { label, filtered } = useLabel("shell.openRuns");
  return (
    <Button
      variant="quiet"
      icon="menu"
      className={style.door}
      label={label}
      data-filtered={filtered}
      onClick={onOpen}
    />
  );
}

/** The strip that remains of a folded side bar. */
export function UnfoldStrip({ onOpen }: RunsButtonProps) {
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
