import { expect, test } from "vitest";
import { boxAt, flameBoxes, pathsAround } from "./flame-places";
import type { CallTreeNode } from "./profiles";

function node(path: string, parent: number | null, total: number, self: number): CallTreeNode {
  return {
    ...{ path, parent, total_us: total, self_us: self, name: path, type: "slice", category: "host" },
    ...{ count: 1, children: 0, longest: null, is_found: false },
  };
}

const NODES = [
  node("1", null, 60, 10),
  node("2", null, 40, 20),
  node("1,3", 0, 30, 30),
  node("1,4", 0, 20, 20),
  node("2,3", 1, 20, 20),
];

test("boxes are beside each other in those around them", () => {
  expect(flameBoxes(NODES, 100, "down").map(({ depth, left, width }) => [depth, left, width])).toEqual([
    [0, 0, 0.6],
    [0, 0.6, 0.4],
    [1, 0, 0.3],
    [1, 0.3, 0.2],
    [1, 0.6, 0.2],
  ]);
});

test("from below boxes are as wide as self times", () => {
  expect(flameBoxes(NODES.slice(0, 2), 30, "up").map(({ width }) => width)).toEqual([1 / 3, 2 / 3]);
});

test("a place is in one box or in none", () => {
  const boxes = flameBoxes(NODES, 100, "down");
  expect([boxAt(boxes, 1, 0.35)?.node.path, boxAt(boxes, 1, 0.55), boxAt(boxes, 0, 0.7)?.node.path]).toEqual([
    "1,4",
    undefined,
    "2",
  ]);
});

test("what is around a node is by its path", () => {
  expect([pathsAround("1"), pathsAround("1,3,5")]).toEqual([[], ["1", "1,3"]]);
});
