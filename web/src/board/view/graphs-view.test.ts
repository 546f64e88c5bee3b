import { describe, expect, test } from "vitest";
import { DEFAULT_GRAPHS, type GraphsView, parseGraphs, printGraphs, withAncestors } from "./graphs-view";

describe("the page of graphs in the address", () => {
  test("says nothing of what is as always", () => {
    expect(printGraphs(DEFAULT_GRAPHS)).toBe("");
  });

  test("says what was chosen, and is read back", () => {
    const view: GraphsView = {
      run: "a;b",
      tag: "graph,50%",
      form: "conceptual",
      at: "1a2b3c4d.5e",
      open: ["a", "a/b", "a/b/c=d", "x,y"],
      selected: "a/b/слой;1",
      color: "device",
      members: { "a/b": 3, "p:q": 12 },
      totals: true,
      base: { run: "a,b", tag: "", form: "op", at: "1a2b3c4d.5f" },
    };
    expect(parseGraphs(printGraphs(view))).toEqual(view);
  });

  test("the last value of a tag has no key", () => {
    const base = { run: "a", tag: "g", form: "op", at: "" } as const;
    expect(printGraphs({ ...DEFAULT_GRAPHS, base })).toBe("base=a,g,op");
    expect(parseGraphs("base=a,g,op")?.base).toEqual(base);
  });

  test("names only the deepest of the open scopes", () => {
    const open = ["encoder", "encoder/layer_0", "head"];
    expect(printGraphs({ ...DEFAULT_GRAPHS, open })).toBe("open=encoder/layer_0,head");
  });

  test("tells closed scopes from those that the page chooses", () => {
    expect(printGraphs({ ...DEFAULT_GRAPHS, open: [] })).toBe("open=");
    expect(parseGraphs("open=")?.open).toEqual([]);
    expect(parseGraphs("")?.open).toBe(null);
  });

  test("invalid parts take their defaults", () => {
    expect(parseGraphs("form=flat;color=loud;members=x,-1:a,1.5:b,0:c")).toEqual(DEFAULT_GRAPHS);
  });
});

test("a scope is open only within open scopes", () => {
  expect(withAncestors(["a/b/c", "d"])).toEqual(["a", "a/b", "a/b/c", "d"]);
});
