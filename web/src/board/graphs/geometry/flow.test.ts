import { describe, expect, test } from "vitest";
import { flowOf, MAX_NEIGHBORS } from "./flow";
import { boxOf, bridgeOf, edgeOf, scopeOf } from "./graph.fixture";

describe("what is set aside", () => {
  test("constants, with a stub at each box that uses them", () => {
    expect(flowOf(scopeOf("", "a b c=", "a-b c-a c-b"))).toEqual({
      aside: [2],
      edges: [0],
      bridges: [],
      stubs: [
        { box: 0, incoming: true, others: [2], outside: 0 },
        { box: 1, incoming: true, others: [2], outside: 0 },
      ],
    });
  });

  test("not constants of a scope that has nothing else", () => {
    expect(flowOf(scopeOf("", "a= b=")).aside).toEqual([]);
  });

  /** `a` and `b` with so many boxes between them. */
  const between = (count: number) => ({
    boxes: Array.from({ length: count + 2 }, (_, at) => boxOf(`b${at}`)),
    edges: Array.from({ length: count }, (_, at) => [edgeOf(0, at + 2), edgeOf(at + 2, 1)]).flat(),
    bridges: [],
  });

  test("boxes with too many neighbours", () => {
    expect(flowOf(between(MAX_NEIGHBORS)).aside).toEqual([]);
    expect(flowOf(between(MAX_NEIGHBORS + 1)).aside).toEqual([0, 1]);
  });

  test("not a box whose neighbours mostly have no other, but these", () => {
    const boxes = Array.from({ length: 22 }, (_, at) => boxOf(`b${at}`, { kind: at === 0 ? "input" : "op" }));
    const edges = [
      edgeOf(0, 1),
      edgeOf(1, 2),
      edgeOf(2, 3),
      ...boxes.slice(4).map((_, at) => edgeOf(at + 4, 1)),
    ];
    expect(flowOf({ boxes, edges, bridges: [] }).aside).toEqual([
      ...[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21],
    ]);
  });
});

test("bridges with the largest tensors end at the port, others are stubs", () => {
  const boxes = Array.from({ length: 10 }, (_, at) => boxOf(`b${at}`));
  const bridges = boxes.map((_, at) =>
    bridgeOf(at, true, { elements: at, count: at + 1, control: at === 9 }),
  );
  const flow = flowOf({ boxes, edges: [], bridges });
  expect(flow.bridges).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  expect(flow.stubs).toEqual([
    { box: 0, incoming: true, others: [], outside: 1 },
    { box: 9, incoming: true, others: [], outside: 10 },
  ]);
});

test("an edge of a box to itself takes no part in the layout", () => {
  expect(flowOf({ boxes: [boxOf("a")], edges: [edgeOf(0, 0)], bridges: [] }).edges).toEqual([]);
});
