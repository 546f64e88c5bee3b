/** The annotation of a run: its name on screen, and a note in Markdown. Stored beside the logs, never in them. */

import { useState } from "react";
import { useWords } from "../../../i18n/words";
import { Breakable } from "../../../ui/breakable";
import { Button } from "../../../ui/button";
import { Markdown } from "../../../ui/markdown";
import { editRunAnnotation, useAnnotations } from "../../data/annotations";
import type { RunDetails } from "../../runs/run-details";
import style from "./run.module.css";

const LONGEST_NAME = 500;
const LONGEST_NOTE = 100_000;

/** The name; the pencil turns it into a text box. An empty name restores the one in the logs. */
export function NamePart({ run }: { run: RunDetails }) {
  const say = useWords();
  const [text, setText] = useState<string | null>(null);
  const keep = () => {
    if (text === null) return;
    const name = text.trim();
    setText(null);
    if (name !== run.label)
      editRunAnnotation(run.name, { display_name: name === run.name || name === "" ? null : name });
  };
  if (text !== null) {
    return (
      <input
        className={style.nameBox}
        aria-label={say("run.rename")}
        value={text}
        maxLength={LONGEST_NAME}
        placeholder={run.name}
        // biome-ignore lint/a11y/noAutofocus: the box takes the place of the button that was pressed
        autoFocus
        onChange={(event) => setText(event.target.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === "Enter") keep();
          if (event.key === "Escape") setText(null);
          if (event.key === "Escape" || event.key === "Enter") event.preventDefault();
        }}
      />
    );
  }
  return (
    <div className={style.names}>
      <h2 className={style.name} title={run.label}>
        <bdi>
          <Breakable>{run.label}</Breakable>
        </bdi>
      </h2>
      {run.label !== run.name && (
        <span className={style.logName} title={run.name}>
          <bdi>{run.name}</bdi>
        </span>
      )}
      <Button
        variant="quiet"
        size="small"
        icon="pencil"
        label={say("run.rename")}
        onClick={() => setText(run.label)}
      />
    </div>
  );
}

export function NotePart({ run }: { run: RunDetails }) {
  const say = useWords();
  const [text, setText] = useState<string | null>(null);
  const keep = () => {
    if (text !== null && text !== run.note)
      editRunAnnotation(run.name, { note: text.trim() === "" ? null : text });
    setText(null);
  };
  return (
    <section className={style.part} aria-label={say("run.note")}>
      <div className={style.noteHead}>
        <h3 className={style.section}>{say("run.note")}</h3>
        {text === null && (
          <Button variant="quiet" size="small" icon="pencil" onClick={() => setText(run.note)}>
            {say(run.note === "" ? "run.write" : "run.edit")}
          </Button>
        )}
      </div>
      {text === null ? (
        run.note === "" ? (
          <p className={style.nothing}>{say("run.noNote")}</p>
        ) : (
          <Markdown source={run.note} />
        )
      ) : (
        <div className={style.editor}>
          <textarea
            className={style.noteBox}
            aria-label={say("run.note")}
            value={text}
            maxLength={LONGEST_NOTE}
            rows={8}
            dir="auto"
            // biome-ignore lint/a11y/noAutofocus: the box takes the place of the button that was pressed
            autoFocus
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) keep();
              if (event.key !== "Escape") return;
              setText(null);
              event.preventDefault();
            }}
          />
          <div className={style.editorFoot}>
            <span className={style.nothing}>
              <SavedWhere />
            </span>
            <Button onClick={() => setText(null)}>{say("action.cancel")}</Button>
            <Button variant="primary" onClick={keep}>
              {say("action.save")}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}

function SavedWhere() {
  const say = useWords();
  const storage = useAnnotations((annotations) => annotations.storage);
  return say(storage === "browser" ? "views.keptHere" : "run.markdown");
}
