/** The saved views one by one: open, rename, delete. */

import { useState } from "react";
import { dateTime } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { useAnnotations } from "../data/annotations";
import { deleteView, type NamedView, openView, renameView, sortedViews } from "../data/views";
import { notify } from "../view/notice";
import { SavedWhere } from "./save-view";
import style from "./views.module.css";

export default function ManageViews({ onClose }: { onClose(): void }) {
  const say = useWords();
  return (
    <Dialog title={say("views.saved")} closeLabel={say("action.close")} open onClose={onClose}>
      <ViewList onClose={onClose} />
    </Dialog>
  );
}

function ViewList({ onClose }: { onClose(): void }) {
  const say = useWords();
  const views = sortedViews(useAnnotations((annotations) => annotations.views));
  const go = (view: NamedView) => {
    openView(view);
    onClose();
  };
  return (
    <>
      {views.length === 0 && <p className={style.hint}>{say("views.none")}</p>}
      <ul className={style.list}>
        {views.map((view) => (
          <Line key={view.name} view={view} onOpen={() => go(view)} />
        ))}
      </ul>
      <p className={style.hint}>
        <SavedWhere />
      </p>
    </>
  );
}

function Line({ view, onOpen }: { view: NamedView; onOpen(): void }) {
  const say = useWords();
  const [name, setName] = useState<string | null>(null);
  const keep = () => {
    if (name !== null) renameView(view.name, name.trim());
    setName(null);
  };
  const remove = () => {
    deleteView(view.name);
    notify("notice.deleted", { view: view.name }, { undo: true });
  };
  return (
    <li className={style.line}>
      {name === null ? (
        <button type="button" className={style.open} onClick={onOpen}>
          <bdi className={style.name}>{view.name}</bdi>
          <span className={style.time}>{dateTime(view.saved)}</span>
        </button>
      ) : (
        <input
          className={style.input}
          aria-label={say("views.rename", { view: view.name })}
          value={name}
          // biome-ignore lint/a11y/noAutofocus: the box takes the place of the button that was pressed
          autoFocus
          onChange={(event) => setName(event.target.value)}
          onBlur={keep}
          onKeyDown={(event) => {
            if (event.key === "Enter") keep();
            if (event.key === "Escape") setName(null);
            if (event.key === "Escape" || event.key === "Enter") event.preventDefault();
          }}
        />
      )}
      <Button
        variant="quiet"
        size="small"
        icon="pencil"
        label={say("views.rename", { view: view.name })}
        onClick={() => setName(view.name)}
      />
      <Button
        variant="quiet"
        size="small"
        icon="trash"
        label={say("views.delete", { view: view.name })}
        onClick={remove}
      />
    </li>
  );
}
