/** Asks for the name of a view, and says where it will be kept. */

import { type FormEvent, useState } from "react";
import { notify } from "../state/notice";
import { useOverlay } from "../state/overlay";
import { saveView } from "../state/views";
import { Button } from "../widgets/button";
import { Dialog } from "../widgets/dialog";
import { useWords } from "../words/words";
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
  const views = useOverlay((overlay) => overlay.views);
  const [name, setName] = useState("");
  const asked = name.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (asked === "") return;
    saveView(asked);
    notify("notice.saved", { view: asked });
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
        <Button type="submit" look="primary" disabled={asked === ""}>
          {say("action.save")}
        </Button>
      </div>
      <p className={style.hint} role="status">
        {Object.hasOwn(views, asked) ? say("views.replaces") : <KeptWhere />}
      </p>
    </form>
  );
}

/** Where what people add is kept: they should know before they rely on it. */
export function KeptWhere() {
  const say = useWords();
  const place = useOverlay((overlay) => overlay.place);
  const file = useOverlay((overlay) => overlay.pathHint);
  if (place === "browser") return say("views.keptHere");
  return file === "" ? null : say("views.keptThere", { file });
}
