import { expect, test } from "vitest";
import { boardOptionOf, datasetRoot, logDirOf, NO_BOARD, OWN, STORAGE } from "./board-option";

test.each([
  [NO_BOARD, ""],
  [{ enabled: false, root: datasetRoot("mnist"), path: "logs" }, ""],
  [{ enabled: true, root: OWN, path: "left over" }, ""],
  [{ enabled: true, root: datasetRoot("mnist"), path: " logs/fit/ " }, "dataset:mnist/logs/fit"],
  [{ enabled: true, root: datasetRoot("mnist"), path: "" }, "dataset:mnist"],
  [{ enabled: true, root: STORAGE, path: "/runs" }, "storage:runs"],
  [{ enabled: true, root: STORAGE, path: "storage:runs" }, "storage:runs"],
])("the option %j sends the folder of logs %j", (option, logDir) => {
  expect(logDirOf(option)).toBe(logDir);
});

test("a copy of what has a TensorBoard of its own folder has one too", () => {
  expect([boardOptionOf("", true), boardOptionOf("", false)]).toEqual([
    { ...NO_BOARD, enabled: true },
    NO_BOARD,
  ]);
});

test.each(["", "dataset:mnist", "dataset:mnist/logs/fit", "storage:", "storage:runs/a"])(
  "a copy of what has the folder of logs %j has it too",
  (logDir) => {
    expect(logDirOf(boardOptionOf(logDir))).toBe(logDir);
  },
);
