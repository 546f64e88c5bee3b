import { expect, test } from "vitest";
import { BoxValues, NodeDataFault, parseNodeData } from "./node-data";

const isColor = (text: string) => text !== "no colour";
const parse = (content: unknown) => parseNodeData(JSON.stringify(content), isColor);
const RESULTS = {
  "encoder/add": { value: 3 },
  "encoder/mul": { value: 7, bgColor: "red" },
  "encoder-2/add": { value: 9 },
  loss: 1,
  kind: { value: "int8", bgColor: "no colour" },
  odd: { value: null },
};

test("a file has graphs, or is one", () => {
  const data = parse({ main: { results: RESULTS } });
  expect([...data.values]).toEqual([
    ["encoder/add", { value: 3, color: null }],
    ["encoder/mul", { value: 7, color: "red" }],
    ["encoder-2/add", { value: 9, color: null }],
    ["loss", { value: 1, color: null }],
    ["kind", { value: "int8", color: null }],
  ]);
  expect(data.range).toEqual([1, 9]);
  expect(parse({ results: RESULTS })).toEqual(data);
});

test("thresholds and gradients are sorted", () => {
  const { thresholds, gradient } = parse({
    results: RESULTS,
    thresholds: [
      { value: 8, bgColor: "red" },
      { value: 2, bgColor: "green" },
      { value: 5, bgColor: "no colour" },
    ],
    gradient: [
      { stop: 1, bgColor: "#f00" },
      { stop: 0, bgColor: "#0f0" },
    ],
  });
  expect(thresholds).toEqual([
    { upTo: 2, color: "green" },
    { upTo: 8, color: "red" },
  ]);
  expect(gradient).toEqual([
    { stop: 0, color: "#0f0" },
    { stop: 1, color: "#f00" },
  ]);
});

test.each([
  ["no JSON", "{", "graphs.data.notJson"],
  ["a list", "[1]", "graphs.data.otherFormat"],
  ["no results", '{"nodes": {"a": 1}}', "graphs.data.otherFormat"],
  ["results without values", '{"results": {"a": {"value": null}}}', "graphs.data.empty"],
])("%s is refused with the reason", (_, text, word) => {
  expect(() => parseNodeData(text, isColor)).toThrow(new NodeDataFault(word as NodeDataFault["word"]));
});

test("a node has its value, a scope the largest in it, and a stack the largest of its members", () => {
  const values = new BoxValues(parse({ results: RESULTS }));
  expect(values.of(["loss"])).toEqual({ value: 1, count: 1, color: null });
  expect(values.of(["encoder"])).toEqual({ value: 7, count: 2, color: "red" });
  expect(values.of(["encoder", "encoder-2", "gone"])).toEqual({ value: 9, count: 3, color: null });
  expect(values.of(["gone"])).toBeNull();
});
