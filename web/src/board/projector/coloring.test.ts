import { describe, expect, test } from "vitest";
import { slotColor } from "../runs/slot";
import { coloringOf, MAX_CATEGORIES, usualColumn } from "./coloring";

const column = (name: string, kind: "number" | "category" | "text", distinct: number) => ({
  name,
  kind,
  distinct,
});

describe("usualColumn", () => {
  test.each([
    [
      "the first with 2 to 20 values",
      [column("word", "text", 16), column("a", "category", 7), column("b", "category", 3)],
      "a",
    ],
    [
      "a number where no column has few values",
      [column("word", "text", 900), column("loss", "number", 800)],
      "loss",
    ],
    [
      "nothing where all are alike or all differ",
      [column("one", "category", 1), column("word", "text", 900)],
      null,
    ],
    ["nothing without columns", [], null],
  ])("%s", (_, columns, wanted) => {
    expect(usualColumn(columns)).toBe(wanted);
  });
});

describe("categories", () => {
  test("have the colours of the board in the order of their labels, with counts", () => {
    const coloring = coloringOf(
      { kind: "category", codes: Uint16Array.of(2, 0, 2), labels: ["cat", "none", "dog"] },
      3,
      "light",
    );
    expect([...coloring.codes]).toEqual([1, 0, 1]);
    expect(coloring.legend).toEqual({
      kind: "categories",
      items: [
        { code: 0, label: "cat", color: slotColor(0, "light"), shape: 0, count: 1 },
        { code: 2, label: "dog", color: slotColor(1, "light"), shape: 0, count: 2 },
      ],
      others: 0,
    });
  });

  test("beyond ten share colours, in another shape", () => {
    const codes = Uint16Array.from({ length: 12 }, (_, row) => row);
    const labels = [...codes].map(String);
    const coloring = coloringOf({ kind: "category", codes, labels }, 12, "light");
    expect([coloring.palette.colors[10], coloring.palette.shapes[10]]).toEqual([
      coloring.palette.colors[0],
      1,
    ]);
  });

  test("the rarest of too many are grey", () => {
    const codes = Uint16Array.from({ length: 101 }, (_, row) => row % 100);
    const labels = Array.from({ length: 100 }, (_, code) => `c${code}`);
    const coloring = coloringOf({ kind: "category", codes, labels }, 101, "dark");
    expect([coloring.codes[0], coloring.codes[99], coloring.legend]).toEqual([
      0,
      MAX_CATEGORIES,
      expect.objectContaining({ others: 60 }),
    ]);
  });
});

describe("numbers", () => {
  test("go along the ramp, what is none is grey", () => {
    const coloring = coloringOf(
      { kind: "number", numbers: Float32Array.of(0, 1, 0.5, Number.NaN) },
      4,
      "light",
    );
    expect([...coloring.codes, coloring.legend]).toEqual([
      0,
      63,
      32,
      64,
      { kind: "ramp", from: 0, to: 1, log: false },
    ]);
  });

  test("of many sizes are told apart by their logarithms", () => {
    const coloring = coloringOf({ kind: "number", numbers: Float32Array.of(1, 10, 100) }, 3, "light");
    expect([...coloring.codes, coloring.legend]).toEqual([
      0,
      32,
      63,
      { kind: "ramp", from: 1, to: 100, log: true },
    ]);
  });

  test("of one value are in the middle", () => {
    expect([...coloringOf({ kind: "number", numbers: Float32Array.of(3, 3) }, 2, "light").codes]).toEqual([
      32, 32,
    ]);
  });
});

test("without a column all points are alike", () => {
  const { codes, legend } = coloringOf(null, 3, "light");
  expect([[...codes], legend]).toEqual([[0, 0, 0], null]);
});
