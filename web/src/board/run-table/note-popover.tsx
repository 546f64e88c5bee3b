/** The annotation of a run: name on screen, tags, a note. Stored by the board, never in the logs. */

import { type FormEvent, useState } from "react";
import { useWords } from "../../i18n/words";
import { AnchoredPopover } from "../../ui/anchored-popover";
import { Button } from "../../ui/button";
import { editRunAnnotation } from "../data/annotations";
import { type Anchor, useAnchored } from "../runs/anchor";
import type { RunDetails } from "../runs/run-details";
import style from "./popovers.module.css";

interface NotePopoverProps {
  details: RunDetails;
  anchor: Anchor;
  onClose(): void;
}

export default function NotePopover({ details, anchor, onClose }: NotePopoverProps) {
  const say = useWords();
  const { name } = details;
  const [label, setLabel] = useState(details.label === name ? "" : details.label);
  const [tags, setTags] = useState(details.tags.join(", "));
  const [note, setNote] = useState(details.note);
  const save = (event: FormEvent) => {
    event.preventDefault();
    editRunAnnotation(name, {
      display_name: label.trim() || null,
      tags: tagsIn(tags),
      note: note.trim() || null,
    });
    onClose();
  };
  const title = say("note.title", { run: name });
  return (
    <AnchoredPopover label={title} anchor={useAnchored(anchor)} onClose={onClose} align="start">
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
          <Button variant="primary" type="submit">
            {say("note.save")}
          </Button>
        </div>
      </form>
    </AnchoredPopover>
  );
}

function tagsIn(text: string): string[] {
  return [...new Set(text.split(/[,，]/).map((tag) => tag.trim()))].filter((tag) => tag !== "");
}
