import { expect, test } from "vitest";
import type { GraphDifference } from "../../../api/graphs";
import { boxOf } from "../geometry/graph.fixture";
import { DiffMarks } from "./diff-marks";

const plain: GraphDifference = {
  status: "added",
  scope: "encoder",
  path: "encoder/layer_2",
  base_path: null,
  kind: "scope",
  op: "",
  nodes: 58,
  changes: [],
};
const DIFFERENCES: GraphDifference[] = [
  plain,
  { ...plain, status: "removed", scope: "", path: null, base_path: "old", nodes: 3 },
  { ...plain, status: "renamed", scope: "", path: "head", base_path: "top", nodes: 4 },
  {
    ...plain,
    status: "changed",
    scope: "head",
    path: "head/MatMul",
    base_path: "top/MatMul",
    kind: "op",
    nodes: 1,
  },
];
const DIFF = {
  total: 4,
  differences: DIFFERENCES,
  scopes: [
    { path: "", added: 58, removed: 3, renamed: 4, changed: 1 },
    { path: "encoder", added: 58, removed: 0, renamed: 0, changed: 0 },
    { path: "head", added: 0, removed: 0, renamed: 0, changed: 1 },
  ],
};
const MARKS = new DiffMarks(DIFF, new Set());
const NONE = { added: 0, removed: 0, renamed: 0, changed: 0 };

test("a box has the sign of its difference, in the graph that has it", () => {
  expect(MARKS.markOf("graph", boxOf("encoder/layer_2"))).toEqual({
    status: "added",
    counts: { ...NONE, added: 58 },
  });
  expect(MARKS.markOf("base", boxOf("encoder/layer_2"))).toBeNull();
  expect(MARKS.markOf("base", boxOf("old"))).toEqual({ status: "removed", counts: { ...NONE, removed: 3 } });
});

test("what is in a scope that was added was added", () => {
  expect(MARKS.markOf("graph", boxOf("encoder/layer_2/mlp/up"))?.status).toBe("added");
  expect(MARKS.markOf("graph", boxOf("encoder/layer_20"))).toBeNull();
});

test("a scope says how many nodes in it differ, on both sides", () => {
  const inside = { status: null, counts: { ...NONE, added: 58 } };
  expect(MARKS.markOf("graph", boxOf("encoder"))).toEqual(inside);
  expect(MARKS.markOf("base", boxOf("encoder"))).toEqual(inside);
});

test("a stack sums up its members", () => {
  const stack = boxOf("encoder/layer_0", { kind: "stack", members: 3 });
  const members = ["encoder/layer_0", "encoder/layer_1", "encoder/layer_2"];
  expect(MARKS.markOf("graph", stack, members)).toEqual({ status: null, counts: { ...NONE, added: 58 } });
  expect(MARKS.markOf("graph", stack, members.slice(2))?.status).toBe("added");
  expect(MARKS.markOf("base", stack, members.slice(0, 2))).toBeNull();
});

test("only stacks beside differences have members that may differ", () => {
  expect(
    ["encoder/layer_0", "encoder", "head/MatMul", "decoder/layer_0"].map((path) => MARKS.mayDifferIn(path)),
  ).toEqual([true, true, true, false]);
});

test("paths lead to the other graph, through scopes that were renamed", () => {
  expect([MARKS.inBase("head/MatMul"), MARKS.inView("top/MatMul"), MARKS.inBase("header")]).toEqual([
    "top/MatMul",
    "head/MatMul",
    "header",
  ]);
  expect(["old", "old/kernel", "encoder/layer_2", "head"].map((path) => MARKS.isOnlyInBase(path))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("hidden statuses are marked nowhere", () => {
  const marks = new DiffMarks(DIFF, new Set(["added"]));
  expect(marks.markOf("graph", boxOf("encoder/layer_2"))).toBeNull();
  expect(marks.markOf("graph", boxOf("encoder"))).toBeNull();
  expect(marks.inBase("head")).toBe("top");
  expect(new DiffMarks(DIFF, new Set(["removed"])).isOnlyInBase("old")).toBe(true);
});
