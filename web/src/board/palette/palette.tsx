/** The palette: one box that finds runs, tags, pages, views, settings and actions. Its entries are passed in. */

import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useWords, type WordId } from "../../i18n/words";
import { Icon } from "../../ui/icon";
import { Mark } from "../../ui/mark";
import { openModal } from "../../ui/modal";
import { type Entry, type EntryKind, find, type SearchMatch } from "./entry";
import style from "./palette.module.css";

interface PaletteProps {
  entries: readonly Entry[];
  /** Commands in the typed text: "smoothing 0.9", "only runs like …". */
  commands(typed: string): readonly Entry[];
  /** The initial text of the box. */
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
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const [recent] = useState(recentIds);
  const found = useMemo(() => {
    const commandMatches = commands(typed).map((entry): SearchMatch => ({ entry, span: null, by: null }));
    const [exact, offered] = [
      commandMatches.filter(isExact),
      commandMatches.filter((each) => !isExact(each)),
    ];
    return [...exact, ...find(entries, typed, recent), ...offered];
  }, [entries, commands, typed, recent]);

  // Letters are taken over when the box opens: this may have been rendered a while before it is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    const close = openModal(box.current!);
    setTyped(ahead());
    return close;
  }, []);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  });

  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    remember(entry.id);
    // Closing restores the focus; the chosen action may move it afterwards.
    box.current?.close();
    entry.run();
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

/** A complete command is an exact match; a suggestion to filter comes after the matches. */
function isExact({ entry }: SearchMatch): boolean {
  return entry.kind === "setting";
}

const KEY = "lightboard.recent";
const MOST = 12;

function recentIds(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === "string") : [];
  } catch {
    return [];
  }
}

function remember(id: string): void {
  try {
    const ids = [id, ...recentIds().filter((each) => each !== id)].slice(0, MOST);
    localStorage.setItem(KEY, JSON.stringify(ids));
  } catch {
    // Storage may be forbidden; the order is then always the same.
  }
}
