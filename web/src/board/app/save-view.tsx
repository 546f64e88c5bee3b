/** Asks for the name of a view, and says where it will be stored. */

import { type FormEvent, useState } from "react";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { useAnnotations } from "../data/annotations";
import { saveView } from "../data/views";
import { notify } from "../view/notice";
import style from "./views.module.css";

const LONGEST_NAME = 200;

export function SaveView({ open, onClose }: { open: boolean; onClose(): void }) {
  const say = useWords();
  return (
    <Dialog title={say("keys.save")} closeLabel={say("action.close")} open={open} onClose={onClose}>
      <NameForm onClose={onClose} />
    </Dialog>
  );
}

function NameForm({ onClose }: { onClose(): void }) {
  const say = useWords();
  const views = useAnnotations((annotations) => annotations.views);
  const [name, setName] = useState("");
  const trimmed = name.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (trimmed === "") return;
    saveView(trimmed);
    notify("notice.saved", { view: trimmed });
    onClose();
  };
  return (
    <form className={style.form} onSubmit={submit}>
      <label className={style.label} htmlFor="view-name">
        {say("views.name")}
      </label>
      <div className={style.row}>
        <input
          id="view-name"
          className={style.input}
          value={name}
          maxLength={LONGEST_NAME}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" variant="primary" disabled={trimmed === ""}>
          {say("action.save")}
        </Button>
      </div>
      <p className={style.hint} role="status">
        {Object.hasOwn(views, trimmed) ? say("views.replaces") : <SavedWhere />}
      </p>
    </form>
  );
}

/** Says where annotations are stored, which users should know before they rely on it. */
export function SavedWhere() {
  const say = useWords();
  const storage = useAnnotations((annotations) => annotations.storage);
  const file = useAnnotations((annotations) => annotations.pathHint);
  if (storage === "browser") return say("views.keptHere");
  return file === "" ? null : say("views.keptThere", { file });
}
