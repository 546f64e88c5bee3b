/** Creates a notebook, from nothing or like another one. What was typed stays until it exists. */

import { useWords } from "../../i18n/words";
import { Choice } from "../../ui/choice";
import { Dialog } from "../../ui/dialog";
import { createNotebook } from "../api/jobs";
import type { JobField } from "../data/job-draft";
import { useJobCapabilities } from "../data/job-options";
import { hiddenCount, type Job, jobCache } from "../data/jobs";
import { KeptDraft } from "../data/kept-draft";
import {
  type NotebookDraft,
  newNotebookDraft,
  notebookCloneOf,
  notebookFaultsOf,
  notebookRequestOf,
} from "../data/notebook-draft";
import { go } from "../data/route";
import { refreshListsSoon } from "../data/tensorboards";
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
  VolumeFields,
} from "./draft-form";
import { Form } from "./form";
import style from "./form.module.css";
import { PairRows } from "./pair-rows";
import { IDLE_SPANS, spanOptions } from "./time-spans";

interface NewNotebookProps {
  /** The notebook that is cloned. */
  like: Job | null;
  /** Whether that has a TensorBoard. */
  hasBoard?: boolean;
  onClose(): void;
}

export default function NewNotebook({ like, hasBoard = false, onClose }: NewNotebookProps) {
  const say = useWords();
  return (
    <Dialog
      title={like ? say("hub.job.cloneOf", { name: like.name }) : say("hub.notebook.new")}
      closeLabel={say("action.close")}
      open
      onClose={onClose}
    >
      <NewForm like={like} hasBoard={hasBoard} onClose={onClose} />
    </Dialog>
  );
}

const ADVANCED: readonly JobField[] = ["volumes", "image", "maxRun", "labels"];
const kept = new KeptDraft<NotebookDraft>("notebook");

function NewForm({ like, hasBoard = false, onClose }: NewNotebookProps) {
  const say = useWords();
  const form = useDraftForm<NotebookDraft>({
    right: "notebooks.create",
    first: () => (like ? notebookCloneOf(like, hasBoard) : (kept.get() ?? newNotebookDraft())),
    kept: like ? null : kept,
    hidden: ADVANCED,
  });
  const { draft, change } = form;
  const obstacle = useJobCapabilities()?.servers_problem ?? "";
  const close = () => {
    if (!like) kept.set(null);
    onClose();
  };

  const send = async () => {
    const request = () => notebookRequestOf({ ...draft, project: form.project });
    const notebook = await form.submit(notebookFaultsOf(draft), request, createNotebook);
    if (!notebook) return;
    jobCache.refreshListsSoon();
    if (draft.board.enabled) refreshListsSoon();
    close();
    go(`/jobs/${notebook.id}`);
  };

  if (form.places.length === 0) return <p>{say("hub.notebook.noProject")}</p>;
  const hidden = like ? hiddenCount(like) : 0;
  return (
    <Form verb={say("hub.new.create")} ready={!obstacle} onSend={send} onCancel={close}>
      {obstacle && (
        <p className={style.fault} role="alert">
          {obstacle}. {say("hub.notebook.elsewhere")}
        </p>
      )}
      <NameRow form={form} placeholder={say("hub.notebook.named")} />
      <PresetField form={form} hint={say("hub.notebook.presetHint")} />
      <div className={style.row}>
        <Choice
          label={say("hub.field.idle")}
          value={draft.idle}
          options={spanOptions(IDLE_SPANS, like?.idle_secs)}
          onChange={(idle) => change({ idle })}
        />
        <MemoryBox form={form} hint={say("hub.notebook.memoryHint")} />
      </div>
      <InputRows form={form} hint={say("hub.notebook.inputsHint")} />
      <VariableField form={form} hint={hidden > 0 ? say("hub.job.reenter", { count: hidden }) : undefined} />
      <BoardFields form={form} own={say("hub.boardOption.ownNotebook")} />
      <Advanced form={form}>
        <VolumeFields form={form} hint={say("hub.notebook.volumesHint")} />
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
