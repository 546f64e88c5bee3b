import { expect, test } from "vitest";
import type { JobResponse } from "../../api/hub-schema.gen";
import { newVariable } from "./job-variables";
import { newNotebookDraft, notebookCloneOf, notebookFaultsOf, notebookRequestOf } from "./notebook-draft";
import { newPair } from "./pairs";

test("a draft becomes a request", () => {
  const draft = {
    ...newNotebookDraft(),
    project: "prj",
    name: " lab ",
    image: "torch:2.9",
    preset: "large",
    inputs: [newPair("train", " storage:mnist ")],
    environment: [newVariable("SEED", "1")],
    memory: "4G",
    maxRun: "8h",
    labels: [newPair("team", "vision"), newPair()],
    board: { enabled: true, root: "dataset:mnist", path: "logs/fit" },
  };
  expect(notebookFaultsOf(draft)).toEqual({});
  expect(notebookRequestOf(draft)).toEqual({
    project: "prj",
    name: "lab",
    image: "torch:2.9",
    preset: "large",
    inputs: { train: "storage:mnist" },
    volumes: [],
    environment: { SEED: "1" },
    memory_bytes: 2 ** 32,
    idle_secs: 1800,
    max_run_secs: 28_800,
    labels: { team: "vision" },
    log_dir: "dataset:mnist/logs/fit",
    tensorboard: true,
  });
});

test("each field is checked before anything is sent", () => {
  const draft = {
    ...newNotebookDraft(),
    name: "My lab",
    inputs: [newPair("train", "")],
    environment: [newVariable("a b", "1")],
    memory: "lots",
    maxRun: "soon",
    labels: [newPair("", "vision")],
  };
  expect(notebookFaultsOf(draft)).toEqual({
    name: "hub.job.fault.name",
    inputs: "hub.job.fault.source",
    environment: "hub.job.fault.variable",
    memory: "hub.job.fault.memory",
    maxRun: "hub.job.fault.span",
    labels: "hub.job.fault.unnamed",
  });
});

test("a clone has all settings of a notebook, also those without a field", () => {
  const notebook = {
    kind: "notebook",
    name: "lab",
    display_name: "First steps",
    project: "prj",
    image: "torch:2.9",
    preset: "large",
    inputs: { train: "storage:mnist" },
    volumes: [{ source: "storage:cars", target: "/data", read_only: true, enforcement: "kernel" }],
    environment: { SEED: "1", KEY: null },
    memory_bytes: 2 ** 32,
    max_run_secs: 28_800,
    idle_secs: 2700,
    queue_timeout_secs: 60,
    priority: 7,
    labels: { team: "vision" },
    tags: ["a, b"],
    log_dir: "",
  } as unknown as JobResponse;
  expect(notebookRequestOf(notebookCloneOf(notebook))).toEqual({
    project: "prj",
    name: "lab-2",
    display_name: "First steps",
    image: "torch:2.9",
    preset: "large",
    inputs: { train: "storage:mnist" },
    volumes: [{ source: "storage:cars", target: "/data", read_only: true }],
    environment: { SEED: "1", KEY: "" },
    memory_bytes: 2 ** 32,
    idle_secs: 2700,
    max_run_secs: 28_800,
    queue_timeout_secs: 60,
    priority: 7,
    labels: { team: "vision" },
    tags: ["a, b"],
    log_dir: "",
    tensorboard: false,
  });
});
