import { expect, test } from "vitest";
import type { JobDetail } from "../../../api/hub-schema.gen";
import { endOf, obstacleOf } from "./terminal-end";

const NORMAL = 1000;

test("a shell ends by itself, by a signal or with its job", () => {
  const statuses = [
    { exit_code: 3, signal: null, message: "" },
    { exit_code: null, signal: 9, message: "" },
    { exit_code: null, signal: 9, message: "the job has ended" },
  ];
  expect(statuses.map((status) => endOf(status, NORMAL, ""))).toEqual([
    { kind: "exited", code: 3 },
    { kind: "killed", signal: 9 },
    { kind: "jobEnded" },
  ]);
});

test("without a status, the code of the WebSocket says why", () => {
  const codes = [1008, 1006, 4401, 4403, 4409, 4429, 4502];
  expect(codes.map((code) => endOf(null, code, "no commands"))).toEqual([
    { kind: "accessEnded" },
    { kind: "lost" },
    { kind: "loginEnded" },
    { kind: "accessEnded" },
    { kind: "jobEnded" },
    { kind: "tooMany" },
    { kind: "refused", why: "no commands" },
  ]);
});

test("only the owner of a running job, who may run commands, opens a terminal", () => {
  const job = (status: JobDetail["status"], owner = "me", rights = ["jobs.exec"]) => ({
    status,
    owner,
    rights,
  });
  const jobs = [
    job("Running"),
    job("Running", "other", []),
    job("Running", "me", []),
    job("Queued"),
    job("Stopping"),
    job("Failed"),
  ];
  expect(jobs.map((each) => obstacleOf(each, "me", { commands: true }))).toEqual([
    null,
    "onlyOwner",
    "notPermitted",
    "waits",
    "ended",
    "ended",
  ]);
});

test("where jobs run no commands, that is said of jobs in any status", () => {
  const jobs = (["Queued", "Running", "Failed"] as const).map((status) => ({
    status,
    owner: "me",
    rights: ["jobs.exec"],
  }));
  expect(jobs.map((each) => obstacleOf(each, "me", { commands: false }))).toEqual([
    "unsupported",
    "unsupported",
    "unsupported",
  ]);
});
