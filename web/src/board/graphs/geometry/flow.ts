/**
 * What of a scope is laid out as a flow. Constants, variables and boxes with very many neighbours would pull lines across
 * everything: they are set aside, and each box that they are connected to has a stub instead.
 */

import type { GraphBox, GraphBridge, GraphEdge } from "../../../api/graphs";

/** A box with more neighbours is set aside. */
export const MAX_NEIGHBORS = 12;
/** The number of boxes that are connected to a port on each border; others have stubs. */
const MAX_ROUTED = 8;

/** Edges of a box that are not drawn as lines. */
export interface Stub {
  box: number;
  incoming: boolean;
  /** Boxes at the other ends that are set aside. */
  others: readonly number[];
  /** The number of edges beyond the border of the scope. */
  outside: number;
}

export interface Flow {
  /** Indices of the boxes set aside. */
  aside: readonly number[];
  /** Indices of the edges drawn as lines. */
  edges: readonly number[];
  /** Indices of the bridges that end at a port. */
  bridges: readonly number[];
  stubs: readonly Stub[];
}

interface Scope {
  boxes: readonly Pick<GraphBox, "kind">[];
  edges: readonly Pick<GraphEdge, "source" | "target" | "elements" | "control">[];
  bridges: readonly Pick<GraphBridge, "box" | "incoming" | "count" | "elements" | "control">[];
}

export function flowOf(scope: Scope): Flow {
  const isAside = asideOf(scope);
  const edges = indices(scope.edges).filter((at) => {
    const { source, target } = scope.edges[at]!;
    return source !== target && !isAside[source] && !isAside[target];
  });
  const bridges = [...routed(scope, isAside, true), ...routed(scope, isAside, false)];
  return {
    aside: indices(scope.boxes).filter((at) => isAside[at]),
    edges,
    bridges,
    stubs: stubsOf(scope, isAside, new Set(bridges)),
  };
}

function asideOf({ boxes, edges, bridges }: Scope): readonly boolean[] {
  const fed = new Set([
    ...edges.filter(({ control }) => !control).map(({ target }) => target),
    ...bridges.filter(({ incoming, control }) => incoming && !control).map(({ box }) => box),
  ]);
  const neighbors = boxes.map(() => new Set<number>());
  for (const { source, target } of edges) {
    if (source === target) continue;
    neighbors[source]!.add(target);
    neighbors[target]!.add(source);
  }
  const found = boxes.map(({ kind }, at) => (kind === "constant" || kind === "variable") && !fed.has(at));
  for (const hub of indices(boxes)) setAside(boxes, found, neighbors, hub);
  // A scope of nothing but variables is shown like any other.
  return found.every(Boolean) ? boxes.map(() => false) : found;
}

/**
 * Of a box with very many neighbours: those that have no other neighbour, as variables of an encoder have, or the box itself if
 * too many are left.
 */
function setAside(
  boxes: Scope["boxes"],
  found: boolean[],
  neighbors: readonly ReadonlySet<number>[],
  hub: number,
): void {
  const flowing = [...neighbors[hub]!].filter((at) => !found[at]);
  const single = flowing.filter((at) => neighbors[at]!.size === 1 && boxes[at]!.kind !== "input");
  if (flowing.length <= MAX_NEIGHBORS) return;
  if (single.length > 0 && flowing.length - single.length <= MAX_NEIGHBORS) {
    for (const at of single) found[at] = true;
  } else found[hub] = true;
}

/** The bridges to a port: the largest tensors first, dependencies last. */
function routed({ bridges }: Scope, isAside: readonly boolean[], incoming: boolean): number[] {
  return indices(bridges)
    .filter((at) => bridges[at]!.incoming === incoming && !isAside[bridges[at]!.box])
    .sort((a, b) => weightOf(bridges[b]!) - weightOf(bridges[a]!) || a - b)
    .slice(0, MAX_ROUTED);
}

function weightOf({ control, elements }: Pick<GraphBridge, "control" | "elements">): number {
  return control ? -1 : (elements ?? 0);
}

function stubsOf(
  { boxes, edges, bridges }: Scope,
  isAside: readonly boolean[],
  withPort: ReadonlySet<number>,
): Stub[] {
  const others = { true: boxes.map((): number[] => []), false: boxes.map((): number[] => []) };
  const outside = { true: boxes.map(() => 0), false: boxes.map(() => 0) };
  for (const { source, target } of edges) {
    if (isAside[source] && !isAside[target]) others.true[target]!.push(source);
    if (isAside[target] && !isAside[source]) others.false[source]!.push(target);
  }
  for (const at of indices(bridges)) {
    const { box, incoming, count } = bridges[at]!;
    if (!withPort.has(at)) outside[`${incoming}`][box]! += count;
  }
  return indices(boxes).flatMap((box) =>
    [true, false].flatMap((incoming): Stub[] => {
      const stub = {
        box,
        incoming,
        others: others[`${incoming}`][box]!,
        outside: outside[`${incoming}`][box]!,
      };
      return stub.others.length > 0 || stub.outside > 0 ? [stub] : [];
    }),
  );
}

function indices(items: readonly unknown[]): number[] {
  return items.map((_, at) => at);
}
