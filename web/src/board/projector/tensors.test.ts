import { expect, test } from "vitest";
import type { TensorInfo } from "../../api/projector";
import { infoOf, tidyName } from "./tensors";

const info = (run: string, name: string, problem: string | null = null): TensorInfo => ({
  run,
  name,
  tensor: name.split(":")[0]!,
  step: Number(name.split(":")[1]),
  rows: 1,
  held: 1,
  dims: 1,
  metadata: null,
  sprite: null,
  bookmarks: false,
  problem,
  warning: null,
});

const ALL = [info("a", "gone:1", "no file"), info("b", "x:1"), info("b", "x:2"), info("b", "y:1")];

test.each([
  ["the one that is named", { run: "b", tensor: "x:1" }, "x:1"],
  ["the last step where none is named", { run: "b", tensor: "x" }, "x:2"],
  ["one that cannot be shown, if it is named", { run: "a", tensor: "gone:1" }, "gone:1"],
  ["else the first that can be shown, at its last step", { run: "", tensor: "" }, "x:2"],
  ["also where what is named is not there", { run: "b", tensor: "z" }, "x:2"],
])("%s", (_, view, wanted) => {
  expect(infoOf(ALL, view)?.name).toBe(wanted);
});

test("where none can be shown, the first says why", () => {
  expect(infoOf([info("a", "gone:1", "no file")], { run: "", tensor: "" })?.name).toBe("gone:1");
});

test("names of variables are read without their tail", () => {
  expect(tidyName("layer/embeddings/.ATTRIBUTES/VARIABLE_VALUE:00002")).toBe("layer/embeddings:00002");
});
