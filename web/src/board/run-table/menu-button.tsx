/** The menu button of a row, visible under the pointer, on touch screens and in the focused row. */

import { type FocusEvent, useState } from "react";
import { useWords } from "../../i18n/words";
import { Icon } from "../../ui/icon";
import style from "./run-row.module.css";

/** Shared by all rows: the same element costs nothing to render again. */
const MORE = <Icon name="more" />;

interface MenuButtonProps {
  /** Name of the run or of the group. */
  of: string;
  /** Can be focused with Tab only in the row that has the focus. */
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

/** Whether the focus is in a row, and the event handlers for it. */
export function useInside() {
  const [inside, setInside] = useState(false);
  const listeners = {
    onFocus: () => setInside(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) =>
      setInside(currentTarget.contains(relatedTarget)),
  };
  return { inside, listeners };
}
