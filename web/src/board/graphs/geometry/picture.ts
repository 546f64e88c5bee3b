/** The picture of a graph: every box and line at its place, from the layouts of the open scopes. */

import type { GraphBox, GraphBridge } from "../../../api/graphs";
import type { OpenScope } from "../graphs-tree";
import { type Curve, curveThrough, loopAt } from "./curve";
import type { Flow, Stub } from "./flow";
import type { ScopeLayout } from "./scope-layout";
import { boundsOf, type Point, type Rect, type Size, shifted } from "./shapes";

export interface BoxText {
  title: string;
  /** A second, smaller line; empty for none. */
  note: string;
}

export interface PlacedBox {
  box: GraphBox;
  text: BoxText;
  rect: Rect;
  /** 0 for the boxes of the whole graph. */
  depth: number;
  /** Index of the open box around it; -1 for the whole graph. */
  parent: number;
  open: boolean;
  /** The path of the contents shown, if it is open. */
  content: string;
  /** The member shown, if it is an open stack. */
  member: number | null;
  /** It is in the strip beside the flow. */
  aside: boolean;
  stubs: readonly Stub[];
  bridges: readonly GraphBridge[];
  /** The number of its edges within the scope. */
  links: number;
}

export interface Wire {
  /** Indices of boxes; -1 for the port of the open box around it. */
  source: number;
  target: number;
  /** Index of the open box around it; -1 for the whole graph. */
  scope: number;
  /** Empty for lines to what is set aside, which are drawn on request. */
  curve: Curve;
  bounds: Rect;
  label: { at: Point; text: string } | null;
  shape: string;
  count: number;
  elements: number | null;
  control: boolean;
}

export interface Picture {
  size: Size;
  /** Open boxes come before what is in them. */
  boxes: readonly PlacedBox[];
  wires: readonly Wire[];
  strips: readonly { scope: number; rect: Rect }[];
  /** Indices of boxes by their paths and, if open, those of their contents. */
  places: ReadonlyMap<string, number>;
}

export interface PictureSource {
  /** The text of a box, and that of an open stack with the path of the member shown. */
  textOf(box: GraphBox, member: number | null, content: string): BoxText;
  labelOf(shape: string): string;
  flowOf(scope: OpenScope): Flow;
}

export function composePicture(root: OpenScope, layout: ScopeLayout, source: PictureSource): Picture {
  const composer = new Composer(source);
  composer.add(root, layout, { x: 0, y: 0 }, -1, 0);
  return composer.picture(layout.size);
}

class Composer {
  readonly #boxes: PlacedBox[] = [];
  readonly #wires: Wire[] = [];
  readonly #strips: { scope: number; rect: Rect }[] = [];

  constructor(private readonly source: PictureSource) {}

  picture(size: Size): Picture {
    const places = new Map<string, number>();
    for (const [at, { box, content, open }] of this.#boxes.entries()) {
      places.set(box.path, at);
      if (open) places.set(content, at);
    }
    return { size, boxes: this.#boxes, wires: this.#wires, strips: this.#strips, places };
  }

  add(opened: OpenScope, layout: ScopeLayout, at: Point, parent: number, depth: number): void {
    const flow = this.source.flowOf(opened);
    const places = this.#addBoxes(opened, layout, flow, at, parent, depth);
    this.#addWires(opened, layout, flow, at, parent, places);
    if (layout.strip) this.#strips.push({ scope: parent, rect: shifted(layout.strip, at.x, at.y) });
  }

  #addBoxes(
    opened: OpenScope,
    layout: ScopeLayout,
    flow: Flow,
    at: Point,
    parent: number,
    depth: number,
  ): number[] {
    const inside = new Map(layout.open.map((each) => [each.box, each.layout]));
    const aside = new Set(flow.aside);
    const { boxes, edges, bridges } = opened.scope;
    const links = boxes.map(() => 0);
    for (const { source, target, count } of edges) {
      links[source]! += count;
      links[target]! += count;
    }
    return boxes.map((box, index) => {
      const rect = shifted(layout.boxes[index]!, at.x, at.y);
      const open = opened.open.get(index);
      const place = this.#boxes.length;
      this.#boxes.push({
        box,
        text: this.source.textOf(box, open?.member ?? null, open?.inside.path ?? box.path),
        rect,
        depth,
        parent,
        open: open !== undefined,
        content: open?.inside.path ?? "",
        member: open?.member ?? null,
        aside: aside.has(index),
        stubs: flow.stubs.filter((stub) => stub.box === index),
        bridges: bridges.filter((bridge) => bridge.box === index),
        links: links[index]!,
      });
      const child = inside.get(index);
      if (open && child) this.add(open.inside, child, rect, place, depth + 1);
      return place;
    });
  }

  #addWires(
    { scope }: OpenScope,
    layout: ScopeLayout,
    flow: Flow,
    { x, y }: Point,
    parent: number,
    places: readonly number[],
  ): void {
    const place = (points: readonly Point[]) => curveThrough(points.map((point) => shifted(point, x, y)));
    const lines = new Map(flow.edges.map((edge, at) => [edge, at]));
    const aside = new Set(flow.aside);
    const curveOf = (source: number, target: number, line: number | undefined) => {
      if (line !== undefined) return place(layout.links[line]!);
      const isLoop = source === target && !aside.has(source);
      return isLoop ? loopAt(shifted(layout.boxes[source]!, x, y)) : [];
    };
    for (const [at, edge] of scope.edges.entries()) {
      const line = lines.get(at);
      const label = line === undefined ? null : (layout.labels[line] ?? null);
      this.#addWire(edge, {
        source: places[edge.source]!,
        target: places[edge.target]!,
        scope: parent,
        curve: curveOf(edge.source, edge.target, line),
        label: label && { at: shifted(label, x, y), text: this.source.labelOf(edge.shape) },
      });
    }
    const routed = flow.bridges.map((at) => scope.bridges[at]!);
    const ways = { true: layout.incoming, false: layout.outgoing };
    const next = { true: 0, false: 0 };
    for (const bridge of routed) {
      const points = ways[`${bridge.incoming}`][next[`${bridge.incoming}`]++]!;
      this.#addWire(bridge, {
        source: bridge.incoming ? -1 : places[bridge.box]!,
        target: bridge.incoming ? places[bridge.box]! : -1,
        scope: parent,
        curve: place(points),
        label: null,
      });
    }
  }

  #addWire(
    { shape, count, elements, control }: Pick<Wire, "shape" | "count" | "elements" | "control">,
    wire: Pick<Wire, "source" | "target" | "scope" | "curve" | "label">,
  ): void {
    this.#wires.push({ ...wire, bounds: boundsOfCurve(wire.curve), shape, count, elements, control });
  }
}

/** A curve never leaves the box around its control points. */
export function boundsOfCurve(curve: Curve): Rect {
  const corners: Rect[] = [];
  for (let at = 0; at + 1 < curve.length; at += 2) {
    corners.push({ x: curve[at]!, y: curve[at + 1]!, width: 0, height: 0 });
  }
  return boundsOf(corners);
}

/** The box that shows a path: itself, or the innermost one around it; -1 if there is none. */
export function placeOf({ places }: Picture, path: string): number {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    const at = places.get(path.slice(0, end));
    if (at !== undefined) return at;
  }
  return -1;
}

/** Whether a box is in an open box. */
export function liesIn({ boxes }: Picture, at: number, around: number): boolean {
  for (let up = boxes[at]?.parent ?? -1; up >= 0; up = boxes[up]!.parent) if (up === around) return true;
  return false;
}
