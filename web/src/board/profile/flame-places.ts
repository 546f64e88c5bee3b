/** Where the calls of a flame graph are: boxes in rows, as wide as their time. Pure. */

import type { CallTreeNode } from "./profiles";

export interface FlameBox {
  node: CallTreeNode;
  depth: number;
  /** From 0 to 1. */
  left: number;
  width: number;
}

/** From above it is all time that counts, from below that of the calls themselves. */
export function weightOf(node: CallTreeNode, direction: "down" | "up"): number {
  return direction === "down" ? node.total_us : node.self_us;
}

/** Boxes side by side in the order of the nodes; those of `nodes` without a parent share `whole`. None is beyond the one around it. */
export function flameBoxes(
  nodes: readonly CallTreeNode[],
  whole: number,
  direction: "down" | "up",
): FlameBox[] {
  const boxes: FlameBox[] = [];
  const next = new Map<number | null, number>();
  for (const node of nodes) {
    const around = node.parent === null ? null : boxes[node.parent]!;
    const left = next.get(node.parent) ?? around?.left ?? 0;
    const room = (around ? around.left + around.width : 1) - left;
    const width = whole > 0 ? Math.min(weightOf(node, direction) / whole, Math.max(room, 0)) : 0;
    next.set(node.parent, left + width);
    boxes.push({ node, depth: around ? around.depth + 1 : 0, left, width });
  }
  return boxes;
}

/** The box at a place, by depth and from 0 to 1. */
export function boxAt(boxes: readonly FlameBox[], depth: number, x: number): FlameBox | undefined {
  return boxes.find((box) => box.depth === depth && x >= box.left && x < box.left + box.width);
}

/** The paths of the nodes around one, from the outermost. */
export function pathsAround(path: string): string[] {
  const keys = path.split(",");
  return keys.slice(1).map((_, at) => keys.slice(0, at + 1).join(","));
}
