import { expect, test } from "vitest";
import { newVariable } from "./job-variables";
import { newNotebookDraft, notebookFaultsOf, notebookRequestOf } from "./notebook-draft";
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
    environment: { SEED: "1" },
    memory_bytes: 2 ** 32,
    idle_secs: 1800,
    max_run_secs: 28_800,
    labels: { team: "vision" },
    log_dir: "dataset:mnist/logs/fit",
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
