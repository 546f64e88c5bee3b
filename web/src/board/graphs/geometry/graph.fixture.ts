/** Small graphs for tests: boxes by name, edges as "a-b". */

import type { GraphBox, GraphBridge, GraphEdge, GraphScope } from "../../../api/graphs";
import type { OpenBox, OpenScope } from "../graphs-tree";
import type { Arrangement, Link } from "./arrangement";
import { flowOf } from "./flow";
import { composePicture, type Picture } from "./picture";
import { layOutScope, type ScopeInput, type ScopeLayout } from "./scope-layout";
import type { Size } from "./shapes";

export function boxOf(path: string, more: Partial<GraphBox> = {}): GraphBox {
  const label = path.split("/").at(-1)!;
  const plain = {
    kind: "op",
    op: "Add",
    device: "",
    nodes: 1,
    members: 1,
    digest: label,
    opens: false,
  } as const;
  return { ...plain, path, label, parameters: null, memory: null, time: null, ...more };
}

export function edgeOf(source: number, target: number, more: Partial<GraphEdge> = {}): GraphEdge {
  return { source, target, count: 1, elements: null, shape: "", control: false, ...more };
}

export function bridgeOf(box: number, incoming: boolean, more: Partial<GraphBridge> = {}): GraphBridge {
  const plain = { count: 1, ends: 1, elements: null, shape: "", control: false, paths: [] };
  return { ...plain, box, incoming, ...more };
}

/** Names of scopes end in "/", of constants in "=". */
export function scopeOf(path: string, names: string, edges = "", bridges: GraphBridge[] = []): GraphScope {
  const at = path === "" ? "" : `${path}/`;
  const boxes = names.split(" ").map((name) => {
    if (name.endsWith("/")) return boxOf(at + name.slice(0, -1), { kind: "scope", opens: true, nodes: 9 });
    if (name.endsWith("=")) return boxOf(at + name.slice(0, -1), { kind: "constant", op: "Const" });
    return boxOf(at + name);
  });
  const placeOf = (name: string) => boxes.findIndex(({ label }) => label === name);
  const pairs = edges === "" ? [] : edges.split(" ").map((edge) => edge.split("-") as [string, string]);
  return {
    path,
    total: boxes.length,
    boxes,
    edges: pairs.map(([source, target]) => edgeOf(placeOf(source), placeOf(target))),
    bridges,
    problems: [],
  };
}

export function openOf(scope: GraphScope, open: Record<number, OpenBox> = {}): OpenScope {
  const opened = Object.entries(open).map(([at, box]) => [Number(at), box] as const);
  return { path: scope.path, scope, open: new Map(opened) };
}

export const SIZE: Size = { width: 60, height: 20 };

export function inputOf(opened: OpenScope, head: Size | null = null): ScopeInput {
  const { scope } = opened;
  const flow = flowOf(scope);
  const routed = flow.bridges.map((at) => scope.bridges[at]!);
  return {
    sizes: scope.boxes.map(() => SIZE),
    aside: flow.aside,
    links: flow.edges.map((at) => {
      const { source, target } = scope.edges[at]!;
      return { source, target, label: null };
    }),
    incoming: routed.filter(({ incoming }) => incoming).map(({ box }) => box),
    outgoing: routed.filter(({ incoming }) => !incoming).map(({ box }) => box),
    open: [...opened.open].map(([box, { inside }]) => ({
      box,
      scope: inputOf(inside, { width: 100, height: 30 }),
    })),
    head,
  };
}

/** A layout that anyone can follow: boxes in one column in their order, 40 apart. */
export function arrangeInColumn(boxes: readonly Size[], links: readonly Link[]): Arrangement {
  const width = Math.max(...boxes.map((box) => box.width));
  let y = 0;
  const places = boxes.map((box) => {
    const middle = { x: width / 2, y: y + box.height / 2 };
    y += box.height + 40;
    return middle;
  });
  return {
    size: { width, height: y - 40 },
    boxes: places,
    links: links.map(() => []),
    labels: links.map(() => null),
  };
}

export function layoutOf(input: ScopeInput): ScopeLayout {
  const open = new Map(input.open.map(({ box, scope }) => [box, layoutOf(scope)]));
  return layOutScope(input, open, arrangeInColumn);
}

export function pictureOf(opened: OpenScope): Picture {
  return composePicture(opened, layoutOf(inputOf(opened)), {
    textOf: (box) => ({ title: box.label, note: "" }),
    labelOf: (shape) => shape,
    flowOf: ({ scope }) => flowOf(scope),
  });
}

/** A model of which `layer` is open: x -> layer(a -> b, with a constant) -> y. */
export function openModel(): Picture {
  const inner = scopeOf("layer", "a b c=", "a-b c-b", [
    bridgeOf(0, true, { paths: ["x"] }),
    bridgeOf(1, false, { paths: ["y"] }),
  ]);
  const whole = scopeOf("", "x layer/ y", "x-layer layer-y");
  return pictureOf(openOf(whole, { 1: { member: null, inside: openOf(inner) } }));
}
