/** The tags that can be drawn in a card beside its own, found by typing. */

import { type KeyboardEvent, useMemo, useState } from "react";
import { join, tagsOf } from "../../state/joins";
import { likest } from "../../state/likeness";
import { useTags } from "../../state/lists";
import { pairOf } from "../../state/pairs";
import { useView } from "../../state/view";
import { Field } from "../../widgets/field";
import { useWords } from "../../words/words";
import style from "./tag-choice.module.css";

const MOST = 60;
const LIST_ID = "tag-choice";

export function TagChoice({ tag, onChosen }: { tag: string; onChosen(): void }) {
  const say = useWords();
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const own = tagsOf(
    useView((view) => view.joined),
    tag,
  );
  const all = useTags();
  const names = useMemo(() => all.map((each) => each.tag).filter((name) => !own.includes(name)), [all, own]);
  const found = useMemo(() => matching(names, text, tag), [names, text, tag]);
  const take = (name: string | undefined) => {
    if (name === undefined) return;
    join(tag, name);
    onChosen();
  };
  const press = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move !== undefined) setActive((at) => (at + move + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter") take(found[active]);
    else return;
    event.preventDefault();
  };
  return (
    <div className={style.choice}>
      <Field
        label={say("tags.find")}
        clearLabel={say("action.clear")}
        value={text}
        onChange={(next) => {
          setText(next);
          setActive(0);
        }}
        onKeyDown={press}
        listId={LIST_ID}
        activeId={found.length > 0 ? `${LIST_ID}-${active}` : undefined}
      />
      <div id={LIST_ID} role="listbox" aria-label={say("card.addTagTitle")} className={style.list}>
        {found.map((name, at) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the box above keeps the focus and steers the list
          // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are those of the box
          <div
            key={name}
            id={`${LIST_ID}-${at}`}
            role="option"
            aria-selected={at === active}
            className={style.option}
            onPointerMove={() => setActive(at)}
            onClick={() => take(name)}
          >
            <bdi>{name}</bdi>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className={style.none}>{say("tags.none")}</p>}
    </div>
  );
}

/** Those with the text in their name; without a text the partner and what is most like the card's own tag. */
function matching(names: readonly string[], text: string, tag: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  if (wanted !== "") return names.filter((name) => name.toLowerCase().includes(wanted)).slice(0, MOST);
  const partner = pairOf(tag, names);
  const near = likest(tag, names, 8).filter((name) => name !== partner);
  const first = partner === null ? near : [partner, ...near];
  return [...first, ...names.filter((name) => !first.includes(name))].slice(0, MOST);
}
