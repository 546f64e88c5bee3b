import { describe, expect, test } from "vitest";
import type { GraphInfo } from "../../api/graphs";
import { mostTellingFirst } from "./graph-order";

const graph = (tag: string, format: GraphInfo["format"], size = 100, located = true) => ({
  info: { tag, format, size, located },
});
const tags = (...graphs: ReturnType<typeof graph>[]) => mostTellingFirst(graphs).map(({ info }) => info.tag);

describe("the graph of a run that tells most", () => {
  test("is the step of a capture, not a small program that ran beside it", () => {
    const programs = [
      graph("jit_add(2)", "hlo", 772),
      graph("jit_step(8)", "hlo", 7105),
      graph("jit_mul(9)", "hlo", 323),
    ];
    expect(tags(...programs)).toEqual(["jit_step(8)", "jit_add(2)", "jit_mul(9)"]);
  });

  test("is a model before a program, and that before what a compiler made of it, whatever their sizes", () => {
    const graphs = [
      graph("c.hlo", "hlo", 9000),
      graph("b.mlir", "stablehlo", 8000),
      graph("a.onnx", "onnx", 10),
      graph("keras", "events", 1),
    ];
    expect(tags(...graphs)).toEqual(["keras", "a.onnx", "b.mlir", "c.hlo"]);
  });

  test("is a compiled program with scopes before StableHLO without any", () => {
    const graphs = [graph("b.mlir", "stablehlo", 8000, false), graph("c.hlo", "hlo", 9000)];
    expect(tags(...graphs)).toEqual(["c.hlo", "b.mlir"]);
  });

  test("is the first of several models", () => {
    expect(tags(graph("a.onnx", "onnx", 10), graph("b.pt2", "torch_export", 9000))).toEqual([
      "a.onnx",
      "b.pt2",
    ]);
  });
});
