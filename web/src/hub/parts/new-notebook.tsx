/** Creates a notebook. What was typed stays until it exists. */

import { createNotebook } from "../../api/hub/jobs";
import { Choice } from "../../widgets/choice";
import { Dialog } from "../../widgets/dialog";
import { useWords } from "../../words/words";
import { tryJobBoard } from "../state/job-actions";
import type { JobField } from "../state/job-draft";
import { jobCache } from "../state/jobs";
import { KeptDraft } from "../state/kept-draft";
import {
  type NotebookDraft,
  newNotebookDraft,
  notebookFaultsOf,
  notebookRequestOf,
} from "../state/notebook-draft";
import { go } from "../state/route";
import {
  Advanced,
  BoardFields,
  ImageField,
  InputRows,
  MemoryBox,
  NameRow,
  PresetField,
  RunTimeBox,
  useDraftForm,
  VariableField,
} from "./draft-form";
import { Form } from "./form";
import style from "./form.module.css";
import { PairRows } from "./pair-rows";
import { IDLE_SPANS, spanOptions } from "./time-spans";

export default function NewNotebook({ onClose }: { onClose(): void }) {
  const say = useWords();
  return (
    <Dialog title={say("hub.notebook.new")} closeLabel={say("action.close")} open onClose={onClose}>
      <NewForm onClose={onClose} />
    </Dialog>
  );
}

const ADVANCED: readonly JobField[] = ["image", "maxRun", "labels"];
const kept = new KeptDraft<NotebookDraft>("notebook");

function NewForm({ onClose }: { onClose(): void }) {
  const say = useWords();
  const form = useDraftForm<NotebookDraft>({
    right: "notebooks.create",
    first: () => kept.get() ?? newNotebookDraft(),
    kept,
    hidden: ADVANCED,
  });
  const { draft, change } = form;
  const close = () => {
    kept.set(null);
    onClose();
  };

  const send = async () => {
    const request = () => notebookRequestOf({ ...draft, project: form.project });
    const notebook = await form.submit(notebookFaultsOf(draft), request, createNotebook);
    if (!notebook) return;
    jobCache.refreshListsSoon();
    if (draft.board.enabled) void tryJobBoard(notebook);
    close();
    go(`/jobs/${notebook.id}`);
  };

  if (form.places.length === 0) return <p>{say("hub.notebook.noProject")}</p>;
  return (
    <Form verb={say("hub.new.create")} onSend={send} onCancel={close}>
      <NameRow form={form} placeholder={say("hub.notebook.named")} />
      <PresetField form={form} hint={say("hub.notebook.presetHint")} />
      <div className={style.row}>
        <Choice
          label={say("hub.field.idle")}
          value={draft.idle}
          options={spanOptions(IDLE_SPANS)}
          onChange={(idle) => change({ idle })}
        />
        <MemoryBox form={form} hint={say("hub.notebook.memoryHint")} />
      </div>
      <InputRows form={form} hint={say("hub.notebook.inputsHint")} />
      <VariableField form={form} />
      <BoardFields form={form} own={say("hub.boardOption.ownNotebook")} />
      <Advanced form={form}>
        <ImageField form={form} />
        <RunTimeBox form={form} hint={say("hub.notebook.spanHint")} />
        <PairRows
          label={say("hub.job.labels")}
          more={say("hub.job.addLabel")}
          fault={form.faultOf("labels")}
          pairs={draft.labels}
          examples={["team", "vision"]}
          onChange={(labels) => change({ labels })}
          testId="labels"
        />
      </Advanced>
    </Form>
  );
}
