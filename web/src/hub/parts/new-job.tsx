/** Creates a job, from nothing or like another one. What was typed stays until the job exists. */

import { useEffect, useRef, useState } from "react";
import { createJob } from "../../api/hub/jobs";
import { Check } from "../../widgets/check";
import { Choice } from "../../widgets/choice";
import { Dialog } from "../../widgets/dialog";
import { TextArea } from "../../widgets/text-area";
import { TextBox } from "../../widgets/text-box";
import { bytes, count } from "../../words/format";
import { useWords } from "../../words/words";
import { usePermitted } from "../state/accounts";
import { tryJobBoard } from "../state/job-actions";
import {
  cloneOf,
  faultsOf,
  type JobDraft,
  type JobFaults,
  type JobField,
  newDraft,
  requestOf,
  serverFault,
  shortDigest,
} from "../state/job-draft";
import { usePresets } from "../state/job-options";
import { memoryText } from "../state/job-values";
import { type Job, jobCache } from "../state/jobs";
import { closeNewJob, keepDraft, keptDraft } from "../state/new-job";
import { useProjectsWithPermission } from "../state/projects";
import { go } from "../state/route";
import { ProjectChoice } from "./choice-fields";
import { AdvancedSwitch, Form } from "./form";
import style from "./form.module.css";
import { ImageChoice, PresetChoice } from "./job-option-fields";
import { PairRows } from "./pair-rows";

/** `like`: the job that is cloned. */
export default function NewJob({ like }: { like: Job | null }) {
  const say = useWords();
  return (
    <Dialog
      title={like ? say("hub.job.cloneOf", { name: like.name }) : say("hub.job.new")}
      closeLabel={say("action.close")}
      open
      onClose={closeNewJob}
    >
      <NewForm like={like} />
    </Dialog>
  );
}

const EXAMPLE = "python train.py --lr 0.1";
const ADVANCED: readonly JobField[] = [
  "image",
  "replicas",
  "memory",
  "retries",
  "maxRun",
  "queueTimeout",
  "grace",
  "tags",
];

function NewForm({ like }: { like: Job | null }) {
  const say = useWords();
  const places = useProjectsWithPermission("jobs.create");
  const [draft, setDraft] = useState<JobDraft>(() => (like ? cloneOf(like) : (keptDraft() ?? newDraft())));
  const [faults, setFaults] = useState<JobFaults>({});
  const [refusals, setRefusals] = useState(0);
  const [advanced, setAdvanced] = useState(false);
  const [board, setBoard] = useState(false);
  const key = useIdempotencyKey();
  const project = places.some(({ id }) => id === draft.project) ? draft.project : (places[0]?.id ?? "");

  const change = (fields: Partial<JobDraft>) => {
    const changed = { ...draft, ...fields };
    setDraft(changed);
    if (!like) keepDraft(changed);
    const left = Object.entries(faults).filter(([field]) => !(field in fields));
    setFaults(Object.fromEntries(left));
  };
  const faultOf = (field: JobField) => {
    const fault = faults[field];
    return typeof fault === "object" ? fault.fromServer : fault && say(fault);
  };
  const close = () => {
    if (!like) keepDraft(null);
    closeNewJob();
  };
  const refuse = (found: JobFaults) => {
    setFaults(found);
    if (ADVANCED.some((field) => found[field])) setAdvanced(true);
    setRefusals((before) => before + 1);
  };
  useEffect(() => {
    if (refusals > 0) showFirstFault();
  }, [refusals]);

  const send = async () => {
    const found = faultsOf(draft);
    if (Object.keys(found).length > 0) return refuse(found);
    const request = requestOf({ ...draft, project });
    let job: Job;
    try {
      job = await createJob(request, key(request));
    } catch (fault) {
      const about = serverFault(fault);
      if (!about) throw fault;
      return refuse(about);
    }
    jobCache.refreshListsSoon();
    if (board) void tryJobBoard(job);
    close();
    go(`/jobs/${job.id}`);
  };

  if (places.length === 0) return <p>{say("hub.job.noProject")}</p>;
  const field = { draft, faultOf, onChange: change };
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
      <div className={style.row}>
        <TextBox
          label={say("hub.field.name")}
          fault={faultOf("name")}
          value={draft.name}
          maxLength={40}
          placeholder={say("hub.job.named")}
          data-testid="job-name"
          onChange={(name) => change({ name })}
        />
        <ProjectChoice places={places} value={project} onChange={(id) => change({ project: id })} />
      </div>
      <PresetChoice
        value={draft.preset}
        fault={faultOf("preset")}
        onChange={(preset) => change({ preset })}
      />
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
      <PairRows
        label={say("hub.job.inputs")}
        more={say("hub.job.addInput")}
        hint={say("hub.job.inputsHint")}
        fault={faultOf("inputs")}
        pairs={draft.inputs}
        examples={["train", "storage:mnist/train"]}
        onChange={(inputs) => change({ inputs })}
        testId="inputs"
      />
      <PairRows
        label={say("hub.job.environment")}
        more={say("hub.job.addVariable")}
        fault={faultOf("environment")}
        {...(like && hiddenCount(like) > 0 && { hint: say("hub.job.reenter", { count: hiddenCount(like) }) })}
        pairs={draft.environment}
        examples={["WANDB_MODE", "offline"]}
        onChange={(environment) => change({ environment })}
        testId="environment"
      />
      <BoardCheck checked={board} onChange={setBoard} />
      <AdvancedSwitch open={advanced} onChange={setAdvanced} />
      {advanced && <AdvancedFields {...field} />}
    </Form>
  );
}

function showFirstFault(): void {
  const fault = document.querySelector<HTMLElement>("dialog form :is([aria-invalid=true], [role=alert])");
  fault?.focus();
  fault?.scrollIntoView({ block: "nearest" });
}

const hiddenCount = (job: Job) => Object.values(job.environment).filter((value) => value === null).length;

/** One key for each job: a request that is sent again unchanged, after its response was lost, creates no second one. */
function useIdempotencyKey(): (request: object) => string {
  const last = useRef({ sent: "", key: "" });
  return (request) => {
    const sent = JSON.stringify(request);
    if (last.current.sent !== sent) last.current = { sent, key: randomKey() };
    return last.current.key;
  };
}

/** Browsers have `randomUUID` only on secure pages. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );

function BoardCheck({ checked, onChange }: { checked: boolean; onChange(on: boolean): void }) {
  const say = useWords();
  if (!usePermitted("use_tensorboards")) return null;
  return (
    <label className={style.check}>
      <Check
        checked={checked}
        data-testid="with-board"
        onChange={(event) => onChange(event.target.checked)}
      />
      {say("hub.act.enable")}
    </label>
  );
}

interface FieldsProps {
  draft: JobDraft;
  faultOf(field: JobField): string | undefined;
  onChange(fields: Partial<JobDraft>): void;
}

const PRIORITIES = [9, 8, 7, 6, 5, 4, 3, 2, 1];
const USUAL_PRIORITY = 5;

function AdvancedFields({ draft, faultOf, onChange }: FieldsProps) {
  const say = useWords();
  const presets = usePresets();
  const limit = (presets.find(({ name }) => name === draft.preset) ?? presets[0])?.memory_bytes;
  return (
    <>
      <ImageChoice value={draft.image} fault={faultOf("image")} onChange={(image) => onChange({ image })} />
      <div className={style.row}>
        <TextBox
          label={say("hub.job.replicas")}
          hint={say("hub.job.replicasHint")}
          fault={faultOf("replicas")}
          value={draft.replicas}
          inputMode="numeric"
          onChange={(replicas) => onChange({ replicas })}
        />
        <TextBox
          label={say("hub.job.memory")}
          hint={say("hub.job.memoryHint")}
          fault={faultOf("memory")}
          value={draft.memory}
          placeholder={limit ? memoryText(limit) : say("hub.span.never")}
          onChange={(memory) => onChange({ memory })}
        />
        <Choice
          label={say("hub.job.priority")}
          hint={say("hub.job.priorityHint")}
          value={draft.priority}
          options={PRIORITIES.map((level) => ({
            value: String(level),
            label: level === USUAL_PRIORITY ? say("hub.job.priorityDefault", { level }) : count(level),
          }))}
          onChange={(priority) => onChange({ priority })}
        />
      </div>
      <div className={style.row}>
        <TextBox
          label={say("hub.job.retries")}
          hint={say("hub.job.retriesHint")}
          fault={faultOf("retries")}
          value={draft.retries}
          inputMode="numeric"
          onChange={(retries) => onChange({ retries })}
        />
        <TextBox
          label={say("hub.job.maxRun")}
          hint={say("hub.job.spanHint")}
          fault={faultOf("maxRun")}
          value={draft.maxRun}
          placeholder={say("hub.span.never")}
          onChange={(maxRun) => onChange({ maxRun })}
        />
      </div>
      <div className={style.row}>
        <TextBox
          label={say("hub.job.queueTimeout")}
          hint={say("hub.job.queueTimeoutHint")}
          fault={faultOf("queueTimeout")}
          value={draft.queueTimeout}
          placeholder={say("hub.span.never")}
          onChange={(queueTimeout) => onChange({ queueTimeout })}
        />
        <TextBox
          label={say("hub.job.grace")}
          hint={say("hub.job.graceHint")}
          fault={faultOf("grace")}
          value={draft.grace}
          onChange={(grace) => onChange({ grace })}
        />
      </div>
      <TextBox
        label={say("hub.field.tags")}
        hint={say("hub.field.tagsHint")}
        fault={faultOf("tags")}
        value={draft.tags}
        onChange={(tags) => onChange({ tags })}
      />
    </>
  );
}
