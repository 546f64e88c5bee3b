/** Says that points share steps, and which of them are drawn. A click opens the settings, where that is chosen. */

import { useWords } from "../../i18n/words";
import { useView } from "../view/view";
import style from "./repeats-note.module.css";

export function RepeatsNote({ onOpen }: { onOpen(at: HTMLElement): void }) {
  const say = useWords();
  const repeats = useView((view) => view.repeats);
  return (
    <button
      type="button"
      className={style.note}
      data-testid="repeats"
      onClick={(event) => onOpen(event.currentTarget)}
    >
      {say(`repeats.${repeats}Note`)}
    </button>
  );
}
