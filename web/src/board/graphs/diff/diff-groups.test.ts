import { expect, test } from "vitest";
import type { GraphDifference } from "../../../api/graphs";
import { differenceName, diffGroups } from "./diff-groups";

const ADDED: GraphDifference = {
  status: "added",
  scope: "encoder",
  path: "encoder/norm",
  base_path: null,
  kind: "scope",
  op: "",
  nodes: 3,
  changes: [],
};
const REMOVED: GraphDifference = { ...ADDED, status: "removed", scope: "", path: null, base_path: "head" };
const RENAMED: GraphDifference = { ...ADDED, status: "renamed", base_path: "encoder/layer_norm" };
const ALL = { path: "", added: 3, removed: 3, renamed: 3, changed: 0 };
const DIFF = { total: 3, differences: [REMOVED, ADDED, RENAMED], scopes: [ALL] };

test("differences are listed by scope, with its counts", () => {
  expect(diffGroups(DIFF, new Set())).toEqual([
    { scope: "", counts: ALL, differences: [REMOVED] },
    {
      scope: "encoder",
      counts: { path: "encoder", added: 0, removed: 0, renamed: 0, changed: 0 },
      differences: [ADDED, RENAMED],
    },
  ]);
});

test("a status can be left out, with the scopes that have no other", () => {
  expect(diffGroups(DIFF, new Set(["removed"])).map(({ scope }) => scope)).toEqual(["encoder"]);
});

test("names are those inside of the scope, and both of what was renamed", () => {
  expect([ADDED, REMOVED, RENAMED].map(differenceName)).toEqual(["norm", "head", "layer_norm → norm"]);
});
