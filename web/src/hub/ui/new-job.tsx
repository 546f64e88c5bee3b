/** Creates a job, from nothing or like another one. What was typed stays until the job exists. */

import { bytes } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Dialog } from "../../ui/dialog";
import { TextArea } from "../../ui/text-area";
import { TextBox } from "../../ui/text-box";
import { createJob } from "../api/jobs";
import {
  cloneOf,
  faultsOf,
  type JobDraft,
  type JobField,
  newDraft,
  requestOf,
  shortDigest,
} from "../data/job-draft";
import { useJobCapabilities } from "../data/job-options";
import { hiddenCount, type Job, jobCache } from "../data/jobs";
import { KeptDraft } from "../data/kept-draft";
import { closeNewJob } from "../data/new-job";
import { go } from "../data/route";
import { refreshListsSoon } from "../data/tensorboards";
import {
  Advanced,
  BoardFields,
  type DraftForm,
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
import { PriorityChoice } from "./priority-choice";

interface NewJobProps {
  /** The job that is cloned. */
  like: Job | null;
  /** Whether that has a TensorBoard. */
  hasBoard: boolean;
}

export default function NewJob({ like, hasBoard }: NewJobProps) {
  const say = useWords();
  return (
    <Dialog
      title={like ? say("hub.job.cloneOf", { name: like.name }) : say("hub.job.new")}
      closeLabel={say("action.close")}
      open
      onClose={closeNewJob}
    >
      <NewForm like={like} hasBoard={hasBoard} />
    </Dialog>
  );
}

const EXAMPLE = "python train.py --lr 0.1";
const ADVANCED: readonly JobField[] = [
  "volumes",
  "image",
  "replicas",
  "memory",
  "retries",
  "port",
  "maxRun",
  "lifeSpan",
  "queueTimeout",
  "grace",
  "tags",
];
const kept = new KeptDraft<JobDraft>("job");

function NewForm({ like, hasBoard }: NewJobProps) {
  const say = useWords();
  const form = useDraftForm<JobDraft>({
    right: "jobs.create",
    first: () => (like ? cloneOf(like, hasBoard) : (kept.get() ?? newDraft())),
    kept: like ? null : kept,
    hidden: ADVANCED,
  });
  const { draft, change, faultOf } = form;
  const close = () => {
    if (!like) kept.set(null);
    closeNewJob();
  };

  const send = async () => {
    const request = () => requestOf({ ...draft, project: form.project });
    const job = await form.submit(faultsOf(draft), request, createJob);
    if (!job) return;
    jobCache.refreshListsSoon();
    if (draft.board.enabled) refreshListsSoon();
    close();
    go(`/jobs/${job.id}`);
  };

  if (form.places.length === 0) return <p>{say("hub.job.noProject")}</p>;
  const hidden = like ? hiddenCount(like) : 0;
  return (
    <Form verb={say("hub.job.submit")} onSend={send} onCancel={close}>
      <TextArea
        label={say("hub.job.command")}
        hint={say("hub.job.commandHint")}
        fault={faultOf("command")}
        value={draft.command}
        placeholder={EXAMPLE}
        rows={2}
        data-testid="command"
        onChange={(command) => change({ command })}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit();
        }}
      />
      <NameRow form={form} placeholder={say("hub.job.named")} />
      <PresetField form={form} hint={say("hub.job.presetHint")} />
      {draft.sourceCode && (
        <p className={style.hint}>
          {say("hub.job.sameSource", {
            files: draft.sourceCode.files,
            size: bytes(draft.sourceCode.size_bytes),
            digest: shortDigest(draft.sourceCode.digest),
          })}
        </p>
      )}
      <PairRows
        label={say("hub.job.hyperparameters")}
        more={say("hub.job.addHyperparameter")}
        fault={faultOf("hyperparameters")}
        pairs={draft.hyperparameters}
        examples={["lr", "0.1"]}
        onChange={(hyperparameters) => change({ hyperparameters })}
        testId="hyperparameters"
      />
      <InputRows form={form} hint={say("hub.job.inputsHint")} />
      <VariableField form={form} hint={hidden > 0 ? say("hub.job.reenter", { count: hidden }) : undefined} />
      <BoardFields form={form} own={say("hub.boardOption.ownJob")} />
      <Advanced form={form}>
        <AdvancedFields form={form} />
      </Advanced>
    </Form>
  );
}

function AdvancedFields({ form }: { form: DraftForm<JobDraft> }) {
  const say = useWords();
  const able = useJobCapabilities();
  const { draft, change, faultOf } = form;
  return (
    <>
      <VolumeFields form={form} hint={say("hub.job.volumesHint")} />
      <ImageField form={form} />
      <div className={style.row}>
        <TextBox
          label={say("hub.job.replicas")}
          hint={say("hub.job.replicasHint")}
          fault={faultOf("replicas")}
          value={draft.replicas}
          inputMode="numeric"
          onChange={(replicas) => change({ replicas })}
        />
        <MemoryBox form={form} hint={say("hub.job.memoryHint")} />
        <PriorityChoice value={draft.priority} onChange={(priority) => change({ priority })} />
      </div>
      <div className={style.row}>
        <TextBox
          label={say("hub.job.retries")}
          hint={say("hub.job.retriesHint")}
          fault={faultOf("retries")}
          value={draft.retries}
          inputMode="numeric"
          onChange={(retries) => change({ retries })}
        />
        <RunTimeBox form={form} hint={say("hub.job.spanHint")} />
        <TextBox
          label={say("hub.job.port")}
          hint={able?.servers_problem || say("hub.job.portHint")}
          fault={faultOf("port")}
          disabled={!!able?.servers_problem && draft.port === ""} // that of a cloned job can be removed
          value={draft.port}
          inputMode="numeric"
          onChange={(port) => change({ port })}
        />
      </div>
      <div className={style.row}>
        <TextBox
          label={say("hub.field.life")}
          hint={say("hub.job.lifeHint")}
          fault={faultOf("lifeSpan")}
          value={draft.lifeSpan}
          placeholder={say("hub.span.never")}
          onChange={(lifeSpan) => change({ lifeSpan })}
        />
        <TextBox
          label={say("hub.job.queueTimeout")}
          hint={say("hub.job.queueTimeoutHint")}
          fault={faultOf("queueTimeout")}
          value={draft.queueTimeout}
          placeholder={say("hub.span.never")}
          onChange={(queueTimeout) => change({ queueTimeout })}
        />
        <TextBox
          label={say("hub.job.grace")}
          hint={say("hub.job.graceHint")}
          fault={faultOf("grace")}
          value={draft.grace}
          onChange={(grace) => change({ grace })}
        />
      </div>
      <TextBox
        label={say("hub.field.tags")}
        hint={say("hub.field.tagsHint")}
        fault={faultOf("tags")}
        value={draft.tags}
        onChange={(tags) => change({ tags })}
      />
    </>
  );
}
