import { describe, expect, test } from "vitest";
import type { TotalsRow } from "../../../api/graphs";
import { followPicture, nextSort, shownCosts, shownRows, type TotalsFilter, totalsTree } from "./totals-rows";

function row(path: string, parameters: number | null, op = ""): TotalsRow {
  const depth = path === "" ? 0 : path.split("/").length;
  const kind = op === "" ? "scope" : "op";
  return {
    path,
    depth,
    kind,
    op,
    nodes: 1,
    parameters,
    trainable: null,
    bytes: null,
    flops: null,
    time: null,
    memory: null,
    partial: [],
  };
}

const ROWS = [
  row("", 9),
  row("layer_10", 3),
  row("layer_10/kernel", 3, "Variable"),
  row("layer_2", 6),
  row("layer_2/kernel", 6, "Variable"),
  row("other", null),
];

function shown(filter: Partial<TotalsFilter>): string[] {
  const rows = shownRows(totalsTree(ROWS)!, { open: new Set(), sort: null, text: "", ...filter });
  return rows.map(({ node, open }) => `${open === null ? " " : open ? "-" : "+"}${node.row.path}`);
}

describe("the table of totals", () => {
  test("shows what is in open scopes, in the order of the file", () => {
    expect(shown({ open: new Set(["layer_2"]) })).toEqual([
      "-",
      "+layer_10",
      "-layer_2",
      " layer_2/kernel",
      " other",
    ]);
  });

  test("sorts the rows of a scope; what is not known is last", () => {
    expect(shown({ sort: { column: "parameters", down: true } })).toEqual([
      "-",
      "+layer_2",
      "+layer_10",
      " other",
    ]);
    expect(shown({ sort: { column: "parameters", down: false } })).toEqual([
      "-",
      "+layer_10",
      "+layer_2",
      " other",
    ]);
    expect(shown({ sort: { column: "name", down: false } })).toEqual([
      "-",
      "+layer_2",
      "+layer_10",
      " other",
    ]);
  });

  test("a search shows matches with the scopes around them", () => {
    expect(shown({ text: "10 VARIABLE" })).toEqual(["-", "-layer_10", " layer_10/kernel"]);
    expect(shown({ text: "nothing" })).toEqual([" "]);
  });

  test("names are those inside of a scope", () => {
    const [first] = totalsTree(ROWS)!.children;
    expect(first!.children.map(({ name }) => name)).toEqual(["kernel"]);
    expect(totalsTree([])).toBe(null);
  });
});

test("time and memory are columns where a step was measured", () => {
  const measured = totalsTree([{ ...row("", 9), time: 120, memory: 0 }])!;
  expect(shownCosts(measured)).toEqual(["parameters", "trainable", "bytes", "flops", "time", "memory"]);
  expect(shownCosts(totalsTree(ROWS)!)).toEqual(["parameters", "trainable", "bytes", "flops"]);
});

test("a heading sorts down, up and not at all; names begin with a", () => {
  const down = nextSort(null, "bytes");
  const up = nextSort(down, "bytes");
  expect([down, up, nextSort(up, "bytes")]).toEqual([
    { column: "bytes", down: true },
    { column: "bytes", down: false },
    null,
  ]);
  expect(nextSort(down, "name")).toEqual({ column: "name", down: false });
});

test("the table opens and closes what the picture does, and keeps the rest", () => {
  const open = new Set(["a", "member_3"]);
  expect([...followPicture(open, ["a"], ["b"])]).toEqual(["member_3", "b"]);
  expect(followPicture(open, ["a"], ["a"])).toBe(open);
});
