/** The search of the header: names of tags, Enter goes to the card. Filtering is the tool bar's. */

import { type KeyboardEvent, useMemo, useState } from "react";
import { jumpTo } from "../state/jump";
import { useTags } from "../state/lists";
import { change, useView } from "../state/view";
import { Field } from "../widgets/field";
import { Mark } from "../widgets/mark";
import { useWords } from "../words/words";
import style from "./tag-search.module.css";

export const SEARCH_ID = "tag-search";
const LIST_ID = "tag-search-list";
const MOST = 12;

export function TagSearch() {
  const say = useWords();
  const tags = useTags();
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const found = useMemo(() => search(tags, text), [tags, text]);
  const shown = open && text.trim() !== "";

  const go = (tag: string | undefined) => {
    if (tag === undefined) return;
    setOpen(false);
    setText("");
    // A filter that leaves the card out would make the jump go nowhere.
    if (useView.getState().tagFilter !== "") change({ tagFilter: "" });
    setTimeout(() => jumpTo(tag), 0);
  };
  const key = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setAt((was) => (was + step + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter") go(found[at]?.tag);
    else if (event.key === "Escape") {
      setOpen(false);
      return;
    } else return;
    event.preventDefault();
  };
  return (
    <div className={style.search}>
      <Field
        id={SEARCH_ID}
        label={say("search.label")}
        clearLabel={say("action.clear")}
        hotkey="Ctrl K"
        value={text}
        onChange={(next) => {
          setText(next);
          setAt(0);
          setOpen(true);
        }}
        onKeyDown={key}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        listId={shown ? LIST_ID : undefined}
        activeId={shown && found.length > 0 ? `${LIST_ID}-${at}` : undefined}
      />
      {shown && (
        <div id={LIST_ID} className={style.list} role="listbox" aria-label={say("search.label")}>
          {found.map(({ tag, runs, span }, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the box above has the keys
            // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant moves over the list
            <div
              key={tag}
              id={`${LIST_ID}-${place}`}
              className={style.item}
              role="option"
              aria-selected={place === at}
              onMouseEnter={() => setAt(place)}
              // The box must not lose the focus before the click counts.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => go(tag)}
            >
              <bdi title={tag}>
                <Mark text={tag} span={span} />
              </bdi>
              <span className={style.end}>{say("search.runs", { runs })}</span>
            </div>
          ))}
          {found.length === 0 && <div className={style.none}>{say("search.none")}</div>}
        </div>
      )}
    </div>
  );
}

interface Found {
  tag: string;
  runs: number;
  span: readonly [number, number];
}

/** Tags that hold the text; those whose last part begins with it come first. */
function search(tags: ReturnType<typeof useTags>, text: string): Found[] {
  const needle = text.trim().toLowerCase();
  if (needle === "") return [];
  const found: (Found & { rank: number })[] = [];
  for (const { tag, runs } of tags) {
    const start = tag.toLowerCase().lastIndexOf(needle);
    if (start < 0) continue;
    const rank = start === 0 || tag[start - 1] === "/" ? 0 : 1;
    found.push({ tag, runs: runs.length, span: [start, start + needle.length], rank });
  }
  return found.sort((a, b) => a.rank - b.rank).slice(0, MOST);
}
