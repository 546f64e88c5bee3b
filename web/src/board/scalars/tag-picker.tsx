/** Finds a tag by typing: a text box and the list that it controls. */

import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { useWords } from "../../i18n/words";
import { Field } from "../../ui/field";
import style from "./tag-picker.module.css";

interface TagPickerProps {
  label: string;
  names: readonly string[];
  /** Tags listed first while nothing is typed. */
  first: readonly string[];
  /** The current tag. */
  chosen?: string | null;
  onPick(name: string): void;
}

const MOST = 60;

export function TagPicker({ label, names, first, chosen = null, onPick }: TagPickerProps) {
  const say = useWords();
  const list = useId();
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const found = useMemo(() => matching(names, first, text), [names, first, text]);
  const press = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const name = found[active];
    if (move !== undefined) setActive((at) => (at + move + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter" && name !== undefined) onPick(name);
    else return;
    event.preventDefault();
  };
  return (
    <div className={style.picker}>
      <Field
        label={say("tags.find")}
        clearLabel={say("action.clear")}
        value={text}
        onChange={(next) => {
          setText(next);
          setActive(0);
        }}
        onKeyDown={press}
        listId={list}
        activeId={found.length > 0 ? `${list}-${active}` : undefined}
      />
      <div id={list} role="listbox" aria-label={label} className={style.list}>
        {found.map((name, at) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the box above keeps the focus and steers the list
          // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are those of the box
          <div
            key={name}
            id={`${list}-${at}`}
            role="option"
            aria-selected={at === active}
            className={name === chosen ? `${style.option} ${style.chosen}` : style.option}
            onPointerMove={() => setActive(at)}
            onClick={() => onPick(name)}
          >
            <bdi>{name}</bdi>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className={style.none}>{say("tags.none")}</p>}
    </div>
  );
}

function matching(names: readonly string[], first: readonly string[], text: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  if (wanted !== "") return names.filter((name) => name.toLowerCase().includes(wanted)).slice(0, MOST);
  return [...first, ...names.filter((name) => !first.includes(name))].slice(0, MOST);
}
