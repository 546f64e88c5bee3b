/** The three dots of a row, seen under the pointer, on touch screens and where the keyboard is. */

import { type FocusEvent, useState } from "react";
import { Icon } from "../../widgets/icon";
import { useWords } from "../../words/words";
import style from "./run-row.module.css";

/** The same for all rows: what is the same element as before costs nothing. */
const MORE = <Icon name="more" />;

interface MenuButtonProps {
  /** Of the run or of the group. */
  of: string;
  /** Tab stops at it only in the row that has the keyboard: elsewhere it takes no room. */
  stop: boolean;
  onOpen(button: HTMLElement): void;
}

export function MenuButton({ of, stop, onOpen }: MenuButtonProps) {
  const name = useWords()("runs.menu", { run: of });
  return (
    <button
      type="button"
      className={style.menu}
      tabIndex={stop ? 0 : -1}
      aria-haspopup="menu"
      aria-label={name}
      title={name}
      onClick={(event) => onOpen(event.currentTarget)}
    >
      {MORE}
    </button>
  );
}

/** Whether the keyboard is in a row, and what the row listens with. */
export function useInside() {
  const [inside, setInside] = useState(false);
  const listeners = {
    onFocus: () => setInside(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) =>
      setInside(currentTarget.contains(relatedTarget)),
  };
  return { inside, listeners };
}
