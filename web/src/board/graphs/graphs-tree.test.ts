import { describe, expect, test } from "vitest";
import type { GraphBox, GraphScope } from "../../api/graphs";
import { scopesIn, type TreeSource, treeOf } from "./graphs-tree";

function box(path: string, more: Partial<GraphBox> = {}): GraphBox {
  const label = path.split("/").at(-1)!;
  return {
    path,
    label,
    kind: "op",
    op: "Add",
    device: "",
    nodes: 1,
    members: 1,
    digest: label,
    opens: false,
    parameters: null,
    memory: null,
    time: null,
    ...more,
  };
}

function scopeBox(path: string, nodes = 50): GraphBox {
  return box(path, { kind: "scope", opens: true, nodes });
}

function scope(path: string, boxes: GraphBox[]): GraphScope {
  return { path, total: boxes.length, boxes, edges: [], bridges: [], problems: [] };
}

const STACK = box("model/layer_0", { kind: "stack", opens: true, members: 3, nodes: 60 });
const SCOPES: Record<string, GraphScope> = {
  "": scope("", [scopeBox("model"), box("x", { kind: "input" })]),
  model: scope("model", [STACK, box("model/head")]),
  "model/layer_0": scope("model/layer_0", [box("model/layer_0/add")]),
  "model/layer_2": scope("model/layer_2", [box("model/layer_2/add")]),
};

function sourceOf(more: Partial<TreeSource> = {}): TreeSource {
  return {
    open: null,
    members: {},
    scopeAt: (path) => SCOPES[path] ?? null,
    memberAt: (stack, member) => stack.replace(/\d+$/, String(member)),
    ...more,
  };
}

function pathsOf(source: TreeSource): string[] | null {
  const { root } = treeOf(source);
  return root && [...scopesIn(root)].map(({ path }) => path);
}

describe("what is open", () => {
  test("the only scope of the graph, at first", () => {
    expect(pathsOf(sourceOf())).toEqual(["", "model"]);
  });

  test("nothing, if it was closed", () => {
    expect(pathsOf(sourceOf({ open: [] }))).toEqual([""]);
  });

  test("a small graph as a whole", () => {
    const small: Record<string, GraphScope> = {
      "": scope("", [scopeBox("a", 2), scopeBox("b", 3)]),
      a: scope("a", [box("a/x"), box("a/y")]),
      b: scope("b", [scopeBox("b/c", 3)]),
      "b/c": scope("b/c", [box("b/c/x")]),
    };
    expect(pathsOf(sourceOf({ scopeAt: (path) => small[path] ?? null }))).toEqual(["", "a", "b", "b/c"]);
  });

  test("a scope around all but the inputs and outputs, as torch writes them", () => {
    const torch: Record<string, GraphScope> = {
      "": scope("", [scopeBox("input", 2), scopeBox("net", 300), scopeBox("output", 1)]),
      net: scope("net", [scopeBox("net/a", 200), scopeBox("net/b", 100)]),
    };
    expect(pathsOf(sourceOf({ scopeAt: (path) => torch[path] ?? null }))).toEqual(["", "net"]);
  });

  test.each([3, 50])("of scopes around each other, the outermost eight: a graph of %i nodes", (nodes) => {
    const chain = (path: string) => scope(path, [scopeBox(path === "" ? "s" : `${path}/s`, nodes)]);
    const shown = pathsOf(sourceOf({ scopeAt: chain }));
    expect(shown).toHaveLength(9);
    expect(shown!.at(-1)).toBe("s/s/s/s/s/s/s/s");
  });

  test("all that was opened, however deep", () => {
    const paths = Array.from({ length: 20 }, (_, at) =>
      Array(at + 1)
        .fill("s")
        .join("/"),
    );
    const chain = (path: string) => scope(path, [scopeBox(path === "" ? "s" : `${path}/s`)]);
    expect(pathsOf(sourceOf({ open: paths, scopeAt: chain }))).toEqual(["", ...paths]);
  });

  test("of a stack, the chosen member", () => {
    const open = ["model", "model/layer_0"];
    expect(pathsOf(sourceOf({ open, members: { "model/layer_0": 2 } }))).toEqual([
      "",
      "model",
      "model/layer_2",
    ]);
  });

  test("of a stack that has become shorter, the last member", () => {
    const { root } = treeOf(sourceOf({ open: ["model", "model/layer_0"], members: { "model/layer_0": 9 } }));
    expect(root?.open.get(0)?.inside.open.get(0)?.member).toBe(2);
  });

  test("never what is inside a closed scope", () => {
    expect(pathsOf(sourceOf({ open: ["model/layer_0"] }))).toEqual([""]);
  });
});

test("nothing is shown until all of it is here, and what is missing is named", () => {
  const open = ["model", "model/layer_0"];
  const without = treeOf(
    sourceOf({ open, scopeAt: (path) => (path === "model/layer_0" ? null : SCOPES[path]!) }),
  );
  expect(without).toEqual({
    root: null,
    open,
    missingScopes: ["model/layer_0"],
    missingMembers: [],
    boxes: 4,
  });
  const unknown = treeOf(sourceOf({ open, members: { "model/layer_0": 1 }, memberAt: () => null }));
  expect(unknown.missingMembers).toEqual([{ stack: "model/layer_0", member: 1 }]);
});

test("all boxes of all open scopes count", () => {
  expect(treeOf(sourceOf({ open: ["model", "model/layer_0"] })).boxes).toBe(5);
});
