/** Edits name, sources, times and access of a TensorBoard, also while it runs. */

import { useState } from "react";
import { useWords } from "../../i18n/words";
import { Choice } from "../../ui/choice";
import { Dialog } from "../../ui/dialog";
import { TextBox } from "../../ui/text-box";
import { changeTensorboard } from "../api/tensorboards";
import { usePermitted } from "../data/accounts";
import { type Draft, draftOf, requestsOf } from "../data/sources";
import { type Board, upsertBoard } from "../data/tensorboards";
import { Form } from "./form";
import style from "./form.module.css";
import { AccessChoice } from "./new-tensorboard";
import { SourceEditor } from "./source-editor";
import { IDLE_SPANS, LIFE_SPANS, spanOptions } from "./time-spans";

export function EditBoard({ board, onClose }: { board: Board; onClose(): void }) {
  const say = useWords();
  const endless = usePermitted("run_without_end");
  const [name, setName] = useState(board.display_name);
  const [drafts, setDrafts] = useState<readonly Draft[]>(() => board.sources.map(draftOf));
  const [life, setLife] = useState(String(board.life_span_secs));
  const [idle, setIdle] = useState(String(board.idle_timeout_secs));
  const [access, setAccess] = useState(board.access);
  const sources = requestsOf(drafts);
  const send = async () => {
    if (!sources) return;
    const before = JSON.stringify(requestsOf(board.sources.map(draftOf)));
    upsertBoard(
      await changeTensorboard(board.id, {
        display_name: name.trim(),
        ...(JSON.stringify(sources) !== before && { sources }),
        access,
        life_span_secs: Number(life),
        idle_timeout_secs: Number(idle),
      }),
    );
    onClose();
  };
  return (
    <Dialog
      title={say("hub.edit.title", { name: board.display_name })}
      closeLabel={say("action.close")}
      open
      onClose={onClose}
    >
      <Form
        verb={say("action.save")}
        ready={sources !== null && name.trim() !== ""}
        onSend={send}
        onCancel={onClose}
      >
        <TextBox label={say("hub.field.name")} value={name} maxLength={200} onChange={setName} />
        <div className={style.access}>
          <span className={style.label}>{say("hub.new.from")}</span>
          <SourceEditor drafts={drafts} onChange={setDrafts} project={board.project} advanced />
        </div>
        <div className={style.row}>
          <Choice
            label={say("hub.field.life")}
            value={life}
            options={spanOptions(LIFE_SPANS, board.life_span_secs, endless)}
            onChange={setLife}
          />
          <Choice
            label={say("hub.field.idle")}
            value={idle}
            options={spanOptions(IDLE_SPANS, board.idle_timeout_secs, endless)}
            onChange={setIdle}
          />
        </div>
        <AccessChoice access={access} owners="maybe" onChange={setAccess} />
      </Form>
    </Dialog>
  );
}
