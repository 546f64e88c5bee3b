/** Arranges boxes with dagre. Only the worker may import this. */

import { Graph, layout } from "@dagrejs/dagre";
import type { Arrangement, Link } from "./arrangement";
import type { Point, Size } from "./shapes";

const BOX_GAP = 36;
const LINE_GAP = 14;
const RANK_GAP = 36;
const LABEL_GAP = 5;
/** Finding the shortest lines is slow for many. */
const MAX_EXACT = 400;

export function arrangeByDagre(boxes: readonly Size[], links: readonly Link[]): Arrangement {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({
    rankdir: "TB",
    nodesep: BOX_GAP,
    edgesep: LINE_GAP,
    ranksep: RANK_GAP,
    ranker: links.length > MAX_EXACT ? "tight-tree" : "network-simplex",
  });
  boxes.forEach(({ width, height }, at) => {
    graph.setNode(String(at), { width, height });
  });
  links.forEach(({ source, target, label, hidden }, at) => {
    const size = label ? { width: label.width, height: label.height } : {};
    graph.setEdge(
      String(source),
      String(target),
      { ...size, labelpos: "r", labeloffset: LABEL_GAP, weight: hidden ? 0 : 1 },
      String(at),
    );
  });
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as Partial<Size>;
  const passed = links.map(({ source, target }, at) => {
    const edge = graph.edge(String(source), String(target), String(at)) as { points: Point[] } & Point;
    return edge;
  });
  return {
    size: { width, height },
    boxes: boxes.map((_, at) => pointOf(graph.node(String(at)) as Point)),
    links: passed.map(({ points }, at) => (links[at]!.hidden ? [] : points.slice(1, -1).map(pointOf))),
    labels: passed.map((edge, at) => (links[at]!.label && !links[at]!.hidden ? pointOf(edge) : null)),
  };
}

function pointOf({ x, y }: Point): Point {
  return { x, y };
}
