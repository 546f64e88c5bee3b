/** What people say of a run: its name on screen, tags, a note. Kept by the board, never in the logs. */

import { type FormEvent, useState } from "react";
import type { RunFacts } from "../../state/facts";
import { editRun } from "../../state/overlay";
import { Button } from "../../widgets/button";
import { Sheet } from "../../widgets/sheet";
import { useWords } from "../../words/words";
import type { Anchor } from "./acts";
import { useAnchored } from "./anchored";
import style from "./sheets.module.css";

interface NoteSheetProps {
  facts: RunFacts;
  anchor: Anchor;
  onClose(): void;
}

export default function NoteSheet({ facts, anchor, onClose }: NoteSheetProps) {
  const say = useWords();
  const { name } = facts;
  const [label, setLabel] = useState(facts.label === name ? "" : facts.label);
  const [tags, setTags] = useState(facts.tags.join(", "));
  const [note, setNote] = useState(facts.note);
  const save = (event: FormEvent) => {
    event.preventDefault();
    editRun(name, { display_name: label.trim() || null, tags: tagsIn(tags), note: note.trim() || null });
    onClose();
  };
  const title = say("note.title", { run: name });
  return (
    <Sheet label={title} anchor={useAnchored(anchor)} onClose={onClose} align="start">
      <form className={style.form} onSubmit={save}>
        <div className={style.title}>
          <bdi>{name}</bdi>
        </div>
        <label>
          {say("note.name")}
          <input
            value={label}
            placeholder={name}
            maxLength={500}
            onChange={(event) => setLabel(event.target.value)}
          />
        </label>
        <label>
          {say("note.tags")}
          <input value={tags} onChange={(event) => setTags(event.target.value)} />
        </label>
        <label>
          {say("note.text")}
          <textarea
            rows={5}
            value={note}
            onChange={(event) => setNote(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save(event);
            }}
          />
        </label>
        <div className={style.foot}>
          <span className={style.hint}>{say("note.where")}</span>
          <Button look="primary" type="submit">
            {say("note.save")}
          </Button>
        </div>
      </form>
    </Sheet>
  );
}

function tagsIn(text: string): string[] {
  return [...new Set(text.split(/[,，]/).map((tag) => tag.trim()))].filter((tag) => tag !== "");
}
