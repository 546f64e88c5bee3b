/** What the forms for jobs and for notebooks have in common: a draft, errors at its fields, and some of the fields. */

import { type ReactNode, useEffect, useRef, useState } from "react";
import { useWords } from "../../i18n/words";
import { TextBox } from "../../ui/text-box";
import { type Create, type JobFaults, type JobField, type SharedDraft, serverFault } from "../data/job-draft";
import { useJobCapabilities, usePresets } from "../data/job-options";
import { memoryText } from "../data/job-values";
import type { KeptDraft } from "../data/kept-draft";
import { type ProjectOption, useProjectsWithPermission } from "../data/projects";
import { BoardOptionFields } from "./board-option-fields";
import { ProjectChoice } from "./choice-fields";
import { AdvancedSwitch } from "./form";
import style from "./form.module.css";
import { ImageChoice, PresetChoice } from "./job-option-fields";
import { PairRows } from "./pair-rows";
import { VariableRows } from "./variable-rows";
import { VolumeRows } from "./volume-rows";

export interface DraftForm<Draft> {
  draft: Draft;
  change(fields: Partial<Draft>): void;
  faultOf(field: JobField): string | undefined;
  /** The projects in which it can be created. */
  places: readonly ProjectOption[];
  /** The chosen one. */
  project: string;
  advanced: boolean;
  setAdvanced(open: boolean): void;
  /** Sends a request once, unless `faults` has any; returns what was created, null if there is an error at a field. */
  submit<Body extends object, Made>(
    faults: JobFaults,
    request: () => Body,
    create: Create<Body, Made>,
  ): Promise<Made | null>;
}

interface DraftFormOptions<Draft> {
  /** The permission that it needs. */
  right: string;
  first(): Draft;
  /** Where to keep what is typed, null for nowhere. */
  kept: KeptDraft<Draft> | null;
  /** Fields that are shown only on demand. */
  hidden: readonly JobField[];
}

export function useDraftForm<Draft extends { project: string }>({
  right,
  first,
  kept,
  hidden,
}: DraftFormOptions<Draft>): DraftForm<Draft> {
  const say = useWords();
  const places = useProjectsWithPermission(right);
  const [draft, setDraft] = useState(first);
  const [faults, setFaults] = useState<JobFaults>({});
  const [refusals, setRefusals] = useState(0);
  const [advanced, setAdvanced] = useState(false);
  const keyOf = useIdempotencyKey();
  const refuse = (found: JobFaults) => {
    setFaults(found);
    if (hidden.some((field) => found[field])) setAdvanced(true);
    setRefusals((before) => before + 1);
  };
  useEffect(() => {
    if (refusals > 0) showFirstFault();
  }, [refusals]);
  return {
    draft,
    change: (fields) => {
      const changed = { ...draft, ...fields };
      setDraft(changed);
      kept?.set(changed);
      setFaults(Object.fromEntries(Object.entries(faults).filter(([field]) => !(field in fields))));
    },
    faultOf: (field) => {
      const fault = faults[field];
      return typeof fault === "object" ? fault.fromServer : fault && say(fault);
    },
    places,
    project: places.some(({ id }) => id === draft.project) ? draft.project : (places[0]?.id ?? ""),
    advanced,
    setAdvanced,
    submit: async (found, request, create) => {
      if (Object.keys(found).length > 0) {
        refuse(found);
        return null;
      }
      const body = request();
      try {
        return await create(body, keyOf(body));
      } catch (fault) {
        const about = serverFault(fault);
        if (!about) throw fault;
        refuse(about);
        return null;
      }
    },
  };
}

function showFirstFault(): void {
  const fault = document.querySelector<HTMLElement>("dialog form :is([aria-invalid=true], [role=alert])");
  fault?.focus();
  fault?.scrollIntoView({ block: "nearest" });
}

/** One key for each resource: a request that is sent again unchanged, after its response was lost, creates no second one. */
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

/** What fields are given: parts of a form whose draft has at least the shared fields. */
interface FieldsProps {
  form: DraftForm<SharedDraft>;
}

export function NameRow({ form, placeholder }: FieldsProps & { placeholder: string }) {
  const say = useWords();
  const { draft, change, faultOf, places, project } = form;
  return (
    <div className={style.row}>
      <TextBox
        label={say("hub.field.name")}
        fault={faultOf("name")}
        value={draft.name}
        maxLength={40}
        placeholder={placeholder}
        data-testid="job-name"
        onChange={(name) => change({ name })}
      />
      <ProjectChoice places={places} value={project} onChange={(id) => change({ project: id })} />
    </div>
  );
}

export function InputRows({ form, hint }: FieldsProps & { hint: string }) {
  const say = useWords();
  return (
    <PairRows
      label={say("hub.job.inputs")}
      more={say("hub.job.addInput")}
      hint={hint}
      fault={form.faultOf("inputs")}
      pairs={form.draft.inputs}
      examples={["train", "storage:mnist/train"]}
      onChange={(inputs) => form.change({ inputs })}
      testId="inputs"
    />
  );
}

export function VariableField({ form, hint }: FieldsProps & { hint?: string | undefined }) {
  return (
    <VariableRows
      project={form.project}
      fault={form.faultOf("environment")}
      hint={hint}
      variables={form.draft.environment}
      onChange={(environment) => form.change({ environment })}
    />
  );
}

export function VolumeFields({ form, hint }: FieldsProps & { hint: string }) {
  const able = useJobCapabilities();
  return (
    <VolumeRows
      hint={hint}
      obstacle={able?.volumes_problem}
      fault={form.faultOf("volumes")}
      volumes={form.draft.volumes}
      onChange={(volumes) => form.change({ volumes })}
    />
  );
}

export function BoardFields({ form, own }: FieldsProps & { own: string }) {
  return (
    <BoardOptionFields
      option={form.draft.board}
      own={own}
      project={form.project}
      fault={form.faultOf("board")}
      onChange={(board) => form.change({ board })}
    />
  );
}

export function ImageField({ form }: FieldsProps) {
  return (
    <ImageChoice
      value={form.draft.image}
      fault={form.faultOf("image")}
      onChange={(image) => form.change({ image })}
    />
  );
}

export function PresetField({ form, hint }: FieldsProps & { hint: string }) {
  return (
    <PresetChoice
      hint={hint}
      value={form.draft.preset}
      fault={form.faultOf("preset")}
      onChange={(preset) => form.change({ preset })}
    />
  );
}

/** A limit; empty for that of the preset, or none. */
export function MemoryBox({ form, hint }: FieldsProps & { hint: string }) {
  const say = useWords();
  const presets = usePresets();
  const limit = (presets.find(({ name }) => name === form.draft.preset) ?? presets[0])?.memory_bytes;
  return (
    <TextBox
      label={say("hub.job.memory")}
      hint={hint}
      fault={form.faultOf("memory")}
      value={form.draft.memory}
      placeholder={limit ? memoryText(limit) : say("hub.span.never")}
      onChange={(memory) => form.change({ memory })}
    />
  );
}

/** A limit; empty for none. */
export function RunTimeBox({ form, hint }: FieldsProps & { hint: string }) {
  const say = useWords();
  return (
    <TextBox
      label={say("hub.job.maxRun")}
      hint={hint}
      fault={form.faultOf("maxRun")}
      value={form.draft.maxRun}
      placeholder={say("hub.span.never")}
      onChange={(maxRun) => form.change({ maxRun })}
    />
  );
}

/** Fields that are shown on demand. */
export function Advanced({ form, children }: FieldsProps & { children: ReactNode }) {
  return (
    <>
      <AdvancedSwitch open={form.advanced} onChange={form.setAdvanced} />
      {form.advanced && children}
    </>
  );
}
