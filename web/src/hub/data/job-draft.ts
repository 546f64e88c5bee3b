/** A job as a draft in the form, and as a request. Pure. */

import { ApiError } from "../../api/client";
import type { CreateJob, JobResponse, SourceCodeResponse } from "../../api/hub-schema.gen";
import type { WordId } from "../../i18n/words";
import { commandOf, commandText } from "../../lib/shell-words";
import { type BoardOption, boardOptionOf, logDirOf, NO_BOARD } from "./board-option";
import { memoryBytes, memoryText, spanSecs, spanText, typedValue, wholeNumber } from "./job-values";
import { type VariableRow, variableFault, variableRowsOf, variablesOf } from "./job-variables";
import { type VolumeRow, volumeFault, volumeRowsOf, volumesOf } from "./job-volumes";
import { filled, namesOf, newPair, type Pair, pairFault, valuesOf } from "./pairs";

export interface JobDraft {
  command: string;
  /** The command that the text was made of; none for a new job. */
  words: readonly string[];
  name: string;
  displayName: string;
  project: string;
  hyperparameters: readonly Pair[];
  image: string;
  /** "" for the default of the hub. */
  preset: string;
  inputs: readonly Pair[];
  volumes: readonly VolumeRow[];
  environment: readonly VariableRow[];
  replicas: string;
  memory: string;
  priority: string;
  retries: string;
  /** "" for no web page. */
  port: string;
  maxRun: string;
  lifeSpan: string;
  queueTimeout: string;
  grace: string;
  tags: string;
  /** The tags that the text was made of; none for a new job. */
  tagList: readonly string[];
  labels: Readonly<Record<string, string>>;
  sourceCode: SourceCodeResponse | null;
  board: BoardOption;
}

/** The fields of the forms for jobs and notebooks that can have errors. */
export type JobField = Exclude<
  keyof JobDraft,
  "words" | "displayName" | "project" | "priority" | "tagList" | "sourceCode"
>;
/** Errors by field: a word of the page, or a message of the server. */
export type JobFaults = Partial<Record<JobField, WordId | { fromServer: string }>>;

export function newDraft(): JobDraft {
  return {
    command: "",
    words: [],
    name: "",
    displayName: "",
    project: "",
    hyperparameters: [],
    image: "",
    preset: "",
    inputs: [],
    volumes: [],
    environment: [],
    replicas: "1",
    memory: "",
    priority: "5",
    retries: "0",
    port: "",
    maxRun: "",
    lifeSpan: "",
    queueTimeout: "",
    grace: "30s",
    tags: "",
    tagList: [],
    labels: {},
    sourceCode: null,
    board: NO_BOARD,
  };
}

/** A draft of another job like this one, with a TensorBoard if that has one. Values of variables that the account may not see are empty. */
export function cloneOf(job: JobResponse, hasBoard = false): JobDraft {
  const command = commandText(job.command);
  return {
    ...sharedCloneOf(job, hasBoard),
    command,
    words: job.command,
    displayName: customTitle(job, command.trim().slice(0, 200)),
    hyperparameters: Object.entries(job.hyperparameters).map(([name, value]) => newPair(name, String(value))),
    replicas: String(job.replicas),
    priority: String(job.priority),
    retries: String(job.max_retries),
    port: String(job.http_port ?? ""),
    lifeSpan: spanText(job.life_span_secs),
    queueTimeout: spanText(job.queue_timeout_secs),
    grace: spanText(job.grace_secs) || "0",
    tags: tagText(job.tags),
    tagList: job.tags,
    labels: job.labels,
    sourceCode: job.source_code,
  };
}

/** The part of it that jobs and notebooks have in common. */
export const sharedCloneOf = (job: JobResponse, hasBoard: boolean): SharedDraft => ({
  name: nextName(job.name),
  project: job.project,
  image: job.image,
  preset: job.preset,
  inputs: Object.entries(job.inputs).map(([name, source]) => newPair(name, source)),
  volumes: volumeRowsOf(job.volumes),
  environment: variableRowsOf(job.environment),
  memory: job.memory_bytes === null ? "" : memoryText(job.memory_bytes),
  maxRun: spanText(job.max_run_secs),
  board: boardOptionOf(job.log_dir, hasBoard),
});

/** A display name that somebody has chosen; "" for the name or the `usual` one. */
export const customTitle = (job: JobResponse, usual: string) =>
  [job.name, usual].includes(job.display_name) ? "" : job.display_name;

const tagText = (tags: readonly string[]) => tags.join(", ");

/** The tags of a draft. Those of a cloned job may have commas and spaces: they are kept until the text is changed. */
const tagsOf = ({ tags, tagList }: JobDraft) =>
  tags === tagText(tagList) ? [...tagList] : tags.split(/[,\s]+/).filter((tag) => tag !== "");

const MAX_NAME = 40;

/** "mnist-2" after "mnist", "mnist-3" after that. */
export function nextName(name: string): string {
  const [, stem, number] = /^(.*?)(?:-(\d{1,4}))?$/.exec(name)!;
  const end = `-${Number(number ?? 1) + 1}`;
  return stem!.slice(0, MAX_NAME - end.length).replace(/-$/, "") + end;
}

const INPUT_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

function inputFault(pairs: readonly Pair[]): WordId | null {
  const fault = pairFault(pairs);
  if (fault) return fault;
  if (!namesOf(pairs).every((name) => INPUT_NAME.test(name))) return "hub.job.fault.input";
  return filled(pairs).some(({ value }) => value.trim() === "") ? "hub.job.fault.source" : null;
}

const MAX_REPLICAS = 64;
const MAX_RETRIES = 100;
const MAX_PORT = 65_535;
const MAX_GRACE_SECS = 3600;
const NAME = /^(?=.{3,40}$)[a-z](?:-?[a-z0-9])*$/;

/** Sends a draft; the key keeps a repeated request from creating a second one. */
export type Create<Body, Made> = (body: Body, idempotencyKey: string) => Promise<Made>;

/** What drafts of jobs and of notebooks have in common. */
export type SharedDraft = Pick<
  JobDraft,
  | "name"
  | "project"
  | "image"
  | "preset"
  | "inputs"
  | "volumes"
  | "environment"
  | "memory"
  | "maxRun"
  | "board"
>;

/** What is wrong with it. */
export function sharedFaultsOf(draft: SharedDraft): JobFaults {
  return faultsIn({
    name: draft.name.trim() === "" || NAME.test(draft.name.trim()) ? null : "hub.job.fault.name",
    inputs: inputFault(draft.inputs),
    volumes: volumeFault(draft.volumes),
    environment: variableFault(draft.environment),
    memory: draft.memory.trim() === "" || memoryBytes(draft.memory) !== null ? null : "hub.job.fault.memory",
    maxRun: spanSecs(draft.maxRun) === null ? "hub.job.fault.span" : null,
  });
}

/** The errors that are some. */
export const faultsIn = (found: Partial<Record<JobField, WordId | null>>): JobFaults =>
  Object.fromEntries(Object.entries(found).filter(([, word]) => word !== null));

/** What is wrong with a draft. */
export function faultsOf(draft: JobDraft): JobFaults {
  const right = (holds: boolean, word: WordId) => (holds ? null : word);
  const { grace, replicas, retries } = draft;
  const port = draft.port.trim();
  return {
    ...sharedFaultsOf(draft),
    ...faultsIn({
      command: right(draft.command.trim() !== "", "hub.job.fault.command"),
      hyperparameters: pairFault(draft.hyperparameters),
      replicas: right(wholeNumber(replicas, 1, MAX_REPLICAS) !== null, "hub.job.fault.replicas"),
      retries: right(wholeNumber(retries, 0, MAX_RETRIES) !== null, "hub.job.fault.retries"),
      port: right(port === "" || wholeNumber(port, 1, MAX_PORT) !== null, "hub.job.fault.port"),
      lifeSpan: right(spanSecs(draft.lifeSpan) !== null, "hub.job.fault.span"),
      queueTimeout: right(spanSecs(draft.queueTimeout) !== null, "hub.job.fault.span"),
      grace: right((spanSecs(grace) ?? Number.NaN) <= MAX_GRACE_SECS, "hub.job.fault.grace"),
    }),
  };
}

/** The part of the request for a draft without faults that jobs and notebooks have in common. */
export function sharedRequestOf(draft: SharedDraft) {
  const inputs = Object.entries(valuesOf(draft.inputs));
  return {
    project: draft.project,
    name: draft.name.trim(),
    environment: variablesOf(draft.environment),
    image: draft.image,
    preset: draft.preset,
    inputs: Object.fromEntries(inputs.map(([name, source]) => [name, source.trim()])),
    volumes: volumesOf(draft.volumes),
    memory_bytes: draft.memory.trim() === "" ? null : memoryBytes(draft.memory),
    max_run_secs: spanSecs(draft.maxRun) ?? 0,
    log_dir: logDirOf(draft.board),
    tensorboard: draft.board.enabled,
  };
}

/** The request for a draft without faults. */
export function requestOf(draft: JobDraft): CreateJob {
  const hyperparameters = valuesOf(draft.hyperparameters);
  return {
    ...sharedRequestOf(draft),
    command: commandOf(draft.command, draft.words),
    display_name: draft.displayName,
    hyperparameters: Object.fromEntries(
      Object.entries(hyperparameters).map(([name, value]) => [name, typedValue(value)]),
    ),
    replicas: Number(draft.replicas),
    priority: Number(draft.priority),
    max_retries: Number(draft.retries),
    http_port: draft.port.trim() === "" ? null : Number(draft.port),
    life_span_secs: spanSecs(draft.lifeSpan) ?? 0,
    queue_timeout_secs: spanSecs(draft.queueTimeout) ?? 0,
    grace_secs: spanSecs(draft.grace) ?? 0,
    labels: { ...draft.labels },
    tags: tagsOf(draft),
    source_code: draft.sourceCode?.digest ?? "",
  };
}

/** As much of a digest as tells it from others. */
export const shortDigest = (digest: string) => digest.slice(0, 12);

/** Fields of the API by those of the form. */
const FIELDS: Record<string, JobField> = {
  command: "command",
  name: "name",
  hyperparameters: "hyperparameters",
  image: "image",
  preset: "preset",
  inputs: "inputs",
  environment: "environment",
  replicas: "replicas",
  memory_bytes: "memory",
  max_retries: "retries",
  http_port: "port",
  max_run_secs: "maxRun",
  life_span_secs: "lifeSpan",
  queue_timeout_secs: "queueTimeout",
  grace_secs: "grace",
  tags: "tags",
  labels: "labels",
  log_dir: "board",
};

/** The field that a rejected request is about, with the server's message; null if it is about none. */
export function serverFault(fault: unknown): JobFaults | null {
  if (!(fault instanceof ApiError)) return null;
  const text = [fault.message, fault.hint].filter((part) => part !== "").join(". ");
  if (fault.code === "conflict" && /^(?:a job|there is a notebook) /.test(fault.message))
    return { name: { fromServer: text } };
  if (/^(this hub has no|the) image |^JupyterLab is not installed in /.test(fault.message))
    return { image: { fromServer: text } };
  if (/^(this hub has no|a job of the) preset /.test(fault.message)) return { preset: { fromServer: text } };
  if (fault.message.startsWith("the input ")) return { inputs: { fromServer: text } };
  if (/^(?:the volume|a volume|two volumes) /.test(fault.message)) return { volumes: { fromServer: text } };
  if (fault.message.startsWith("the variable ")) return { environment: { fromServer: text } };
  if (fault.message.startsWith("the log path: ")) return { board: { fromServer: text } };
  const [, place, message] = /^([a-z_]+)(?:\.[^:]*)?: (.*)$/s.exec(fault.message) ?? [];
  const field = FIELDS[place ?? ""];
  return fault.code === "invalid" && field ? { [field]: { fromServer: message! } } : null;
}
