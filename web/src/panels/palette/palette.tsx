/** The palette: one box that finds runs, tags, pages, views, settings and actions. What it offers is given to it. */

import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { Icon } from "../../widgets/icon";
import { Mark } from "../../widgets/mark";
import { openModal } from "../../widgets/modal";
import { useWords, type WordId } from "../../words/words";
import { type Entry, type EntryKind, type Found, find } from "./entry";
import style from "./palette.module.css";
import { recentIds, remember } from "./recent";

interface PaletteProps {
  entries: readonly Entry[];
  /** What the typed text means by itself: "smoothing 0.9", "only runs like …". */
  commands(typed: string): readonly Entry[];
  /** What is in the box at first. */
  ahead(): string;
  onClose(): void;
}

const LIST_ID = "palette-list";
const KIND_WORDS: Readonly<Record<EntryKind, WordId>> = {
  action: "palette.action",
  page: "palette.page",
  view: "palette.view",
  setting: "palette.setting",
  run: "palette.run",
  tag: "palette.tag",
};

export function Palette({ entries, commands, ahead, onClose }: PaletteProps) {
  const say = useWords();
  const box = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState(ahead);
  const [at, setAt] = useState(0);
  const [recent] = useState(recentIds);
  const found = useMemo(() => {
    const meant = commands(typed).map((entry): Found => ({ entry, span: null, by: null }));
    const [exact, offered] = [meant.filter(isExact), meant.filter((each) => !isExact(each))];
    return [...exact, ...find(entries, typed, recent), ...offered];
  }, [entries, commands, typed, recent]);

  useEffect(() => openModal(box.current!), []);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  });

  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    remember(entry.id);
    // Closing gives the focus back; what is chosen may want it after that.
    box.current?.close();
    entry.act();
  };
  const key = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step !== undefined) setAt((was) => (was + step + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter" && !event.nativeEvent.isComposing) choose(found[at]?.entry);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it too; the click is on the backdrop
    <dialog
      ref={box}
      className={style.palette}
      aria-label={say("keys.palette")}
      data-testid="palette"
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && box.current?.close()}
    >
      <div className={style.head}>
        <Icon name="search" />
        <input
          className={style.input}
          role="combobox"
          aria-label={say("shell.find")}
          aria-expanded
          aria-controls={LIST_ID}
          aria-activedescendant={found.length > 0 ? `${LIST_ID}-${at}` : undefined}
          placeholder={say("shell.find")}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
          onKeyDown={key}
        />
      </div>
      <div ref={list} id={LIST_ID} className={style.list} role="listbox" aria-label={say("keys.palette")}>
        {found.map(({ entry, span, by }, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box above has the keys
          // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant moves over the list
          <div
            key={entry.id}
            id={`${LIST_ID}-${place}`}
            className={style.item}
            role="option"
            aria-selected={place === at}
            data-kind={entry.kind}
            onMouseMove={() => setAt(place)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(entry)}
          >
            <span className={style.kind}>{say(KIND_WORDS[entry.kind])}</span>
            <bdi className={style.text} title={entry.text}>
              <Mark text={entry.text} span={span} />
              {by !== null && <span className={style.by}>{by}</span>}
            </bdi>
            {entry.end && <span className={style.end}>{entry.end}</span>}
            {entry.hotkey && <kbd className={style.key}>{entry.hotkey}</kbd>}
          </div>
        ))}
        {found.length === 0 && <div className={style.none}>{say("palette.none")}</div>}
      </div>
    </dialog>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

/** A command with its value is what was meant; an offer to filter comes after what was found. */
function isExact({ entry }: Found): boolean {
  return entry.kind === "setting";
}
