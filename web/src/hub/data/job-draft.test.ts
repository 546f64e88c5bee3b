import { expect, test } from "vitest";
import { ApiError } from "../../api/client";
import type { JobResponse } from "../../api/hub-schema.gen";
import { cloneOf, faultsOf, newDraft, nextName, requestOf, serverFault } from "./job-draft";
import { newVariable } from "./job-variables";
import { newVolume } from "./job-volumes";
import { newPair, pairsIn } from "./pairs";

const DRAFT = { ...newDraft(), project: "prj", command: "python train.py" };

test("a draft becomes a request as the command line sends it", () => {
  const draft = {
    ...DRAFT,
    name: " mnist ",
    hyperparameters: [newPair("lr", "0.1"), newPair(), newPair("opt", "adam"), newPair("amp", "true")],
    image: "torch:2.9",
    preset: "cpu-small",
    inputs: [newPair("train", " storage:mnist/train "), newPair()],
    volumes: [newVolume(" //project/results ", " storage:image/results ", false), newVolume()],
    environment: [newVariable("SEED", "0.10")],
    memory: "4G",
    maxRun: "2h",
    lifeSpan: "1d",
    tags: "vision, nightly",
  };
  expect(faultsOf(draft)).toEqual({});
  expect(requestOf(draft)).toEqual({
    command: ["sh", "-c", "python train.py"],
    project: "prj",
    name: "mnist",
    display_name: "",
    environment: { SEED: "0.10" },
    hyperparameters: { lr: 0.1, opt: "adam", amp: true },
    image: "torch:2.9",
    preset: "cpu-small",
    inputs: { train: "storage:mnist/train" },
    volumes: [{ source: "storage:image/results", target: "//project/results", read_only: false }],
    replicas: 1,
    memory_bytes: 2 ** 32,
    priority: 5,
    max_retries: 0,
    http_port: null,
    max_run_secs: 7200,
    life_span_secs: 86_400,
    queue_timeout_secs: 0,
    grace_secs: 30,
    source_code: "",
    labels: {},
    log_dir: "",
    tensorboard: false,
    tags: ["vision", "nightly"],
  });
});

test("each field is checked before anything is sent", () => {
  const wrong = {
    ...newDraft(),
    name: "My run",
    hyperparameters: [newPair("", "1")],
    inputs: [newPair("my data", "storage:mnist")],
    environment: [newVariable("A", "1"), newVariable("A", "2")],
    replicas: "0",
    memory: "lots",
    retries: "x",
    port: "65536",
    maxRun: "soon",
    lifeSpan: "later",
    queueTimeout: "1",
    grace: "2h",
  };
  expect(faultsOf(wrong)).toEqual({
    command: "hub.job.fault.command",
    name: "hub.job.fault.name",
    hyperparameters: "hub.job.fault.unnamed",
    inputs: "hub.job.fault.input",
    environment: "hub.job.fault.twice",
    replicas: "hub.job.fault.replicas",
    memory: "hub.job.fault.memory",
    retries: "hub.job.fault.retries",
    port: "hub.job.fault.port",
    maxRun: "hub.job.fault.span",
    lifeSpan: "hub.job.fault.span",
    queueTimeout: "hub.job.fault.span",
    grace: "hub.job.fault.grace",
  });
});

test.each([
  ["", "storage:a", "hub.job.fault.unnamed"],
  ["-a", "storage:a", "hub.job.fault.input"],
  ["a".repeat(65), "storage:a", "hub.job.fault.input"],
  ["a", " ", "hub.job.fault.source"],
  ["0.Train-set_1", "storage:a", undefined],
])("an input “%s” from “%s” has the fault %s", (name, source, fault) => {
  expect(faultsOf({ ...DRAFT, inputs: [newPair(name, source)] }).inputs).toBe(fault);
});

test("a clone asks for the same again, under the next name", () => {
  const job = {
    name: "mnist",
    display_name: "python train.py",
    project: "prj",
    command: ["sh", "-c", "python train.py"],
    environment: { SEED: "1", SECRET: null },
    hyperparameters: { lr: 0.1, amp: false, id: "007" },
    image: "torch:2.9",
    preset: "gpu-small",
    inputs: { train: "dataset:mnist/train" },
    volumes: [{ source: "storage:x", target: "/x", read_only: true, enforcement: "kernel" }],
    replicas: 3,
    memory_bytes: 2 ** 30,
    priority: 7,
    max_retries: 2,
    http_port: 8080,
    max_run_secs: 3600,
    life_span_secs: 90_000,
    queue_timeout_secs: 0,
    grace_secs: 0,
    labels: { team: "vision" },
    tags: ["a, b", "c"],
    source_code: { digest: "ab12", files: 3, size_bytes: 900 },
    log_dir: "dataset:mnist/logs",
  } as unknown as JobResponse;
  const { labels, ...rest } = requestOf(cloneOf(job));
  expect(labels).toEqual({ team: "vision" });
  expect(rest).toEqual({
    command: job.command,
    project: "prj",
    name: "mnist-2",
    display_name: "",
    environment: { SEED: "1", SECRET: "" },
    hyperparameters: { lr: 0.1, amp: false, id: "007" },
    image: "torch:2.9",
    preset: "gpu-small",
    inputs: { train: "dataset:mnist/train" },
    volumes: [{ source: "storage:x", target: "/x", read_only: true }],
    replicas: 3,
    memory_bytes: 2 ** 30,
    priority: 7,
    max_retries: 2,
    http_port: 8080,
    max_run_secs: 3600,
    life_span_secs: 90_000,
    queue_timeout_secs: 0,
    grace_secs: 0,
    tags: ["a, b", "c"],
    source_code: "ab12",
    log_dir: "dataset:mnist/logs",
    tensorboard: true,
  });
});

test("names are counted up and stay short enough", () => {
  expect(["mnist", "mnist-2", "mnist-9", `${"a".repeat(38)}-b`].map(nextName)).toEqual([
    "mnist-2",
    "mnist-3",
    "mnist-10",
    `${"a".repeat(38)}-2`,
  ]);
});

test("pasted variables become rows", () => {
  const rows = (text: string) => pairsIn(text).map(({ name, value }) => [name, value]);
  expect(rows("A=1\n\n# no\nB=x=y\n")).toEqual([
    ["A", "1"],
    ["B", "x=y"],
  ]);
  expect(rows("just words")).toEqual([]);
});

test.each([
  [
    "invalid",
    "replicas: Input should be less than 65",
    { replicas: { fromServer: "Input should be less than 65" } },
  ],
  [
    "invalid",
    "hyperparameters.lr.str: String too long",
    { hyperparameters: { fromServer: "String too long" } },
  ],
  ["invalid", "inputs.train: String too long", { inputs: { fromServer: "String too long" } }],
  [
    "invalid",
    "the input train: /a belongs to another project",
    { inputs: { fromServer: "the input train: /a belongs to another project" } },
  ],
  ["invalid", "two volumes are at /x", { volumes: { fromServer: "two volumes are at /x" } }],
  [
    "conflict",
    "a job x in this project has not ended",
    { name: { fromServer: "a job x in this project has not ended" } },
  ],
  [
    "conflict",
    "there is a notebook x in this project",
    { name: { fromServer: "there is a notebook x in this project" } },
  ],
  [
    "invalid",
    "the log path: logs cannot be written there",
    { board: { fromServer: "the log path: logs cannot be written there" } },
  ],
  ["invalid", "memory_bytes: 8G is more than 4G", { memory: { fromServer: "8G is more than 4G" } }],
  ["invalid", "this hub has no preset x", { preset: { fromServer: "this hub has no preset x" } }],
  [
    "invalid",
    "a job of the preset x needs 2 GPUs, and this hub has 0",
    { preset: { fromServer: "a job of the preset x needs 2 GPUs, and this hub has 0" } },
  ],
  ["conflict", "1,000 jobs of this account wait or run", null],
  ["invalid", "the command is not one", null],
])("an error of the kind %s about “%s” is shown at its field", (code, message, faults) => {
  expect(serverFault(new ApiError(422, code, message))).toEqual(faults);
});
