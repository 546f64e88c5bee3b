/** What the worker needs to lay out the open scopes: sizes and lines, no names. */

import type { GraphScope } from "../../api/graphs";
import { boxSize, headSize, labelSize, type TextWidths } from "./box-size";
import { boxText, edgeText } from "./box-text";
import { type Flow, flowOf } from "./geometry/flow";
import type { ScopeInput } from "./geometry/scope-layout";
import type { Size } from "./geometry/shapes";
import type { OpenScope } from "./graphs-tree";

/** Labels of so many lines would push the boxes apart. */
const MAX_LABELS = 160;

/** Flows by scope, which are the same however much of the scope is open. */
const flows = new WeakMap<GraphScope, Flow>();

export function scopeFlow({ scope }: Pick<OpenScope, "scope">): Flow {
  const known = flows.get(scope) ?? flowOf(scope);
  flows.set(scope, known);
  return known;
}

export function layoutInput(opened: OpenScope, widths: TextWidths, head: Size | null = null): ScopeInput {
  const { scope, open } = opened;
  const flow = scopeFlow(opened);
  const aside = new Set(flow.aside);
  const text = (at: number) => {
    const [box, inside] = [scope.boxes[at]!, open.get(at)];
    return boxText(box, inside?.member ?? null, inside?.inside.path ?? box.path, widths);
  };
  const labelled = flow.edges.length <= MAX_LABELS;
  const routed = (incoming: boolean) =>
    flow.bridges.map((at) => scope.bridges[at]!).filter((bridge) => bridge.incoming === incoming);
  return {
    sizes: scope.boxes.map((box, at) => boxSize(box, text(at), aside.has(at), widths)),
    aside: flow.aside,
    links: flow.edges.map((at) => {
      const { source, target, shape } = scope.edges[at]!;
      return { source, target, label: labelled ? labelSize(edgeText(shape), widths) : null };
    }),
    incoming: routed(true).map(({ box }) => box),
    outgoing: routed(false).map(({ box }) => box),
    open: [...open].map(([box, { inside }]) => ({
      box,
      scope: layoutInput(inside, widths, headSize(scope.boxes[box]!, text(box), widths)),
    })),
    head,
  };
}
