/** Which graph of a run tells most of its model. */

import type { GraphInfo } from "../../api/graphs";

/** How near a format is to the model as its author wrote it. */
const DISTANCES: Record<GraphInfo["format"], number> = {
  events: 0,
  onnx: 1,
  torch_export: 1,
  model_explorer: 1,
  graph_def: 1,
  saved_model: 1,
  stablehlo: 2,
  hlo: 3,
};

/** StableHLO without locations has no scopes, which a compiled program has. */
const FLAT = 4;

/**
 * Models before programs that a compiler has made of them, and of compiled programs the largest first: a capture has one for each
 * small function that ran beside the step. Otherwise their order stays.
 */
export function mostTellingFirst<T extends { info: Pick<GraphInfo, "format" | "size" | "located"> }>(
  graphs: readonly T[],
): T[] {
  return graphs.toSorted(({ info: a }, { info: b }) => {
    const nearer = distanceOf(a) - distanceOf(b);
    return nearer !== 0 || a.format !== "hlo" ? nearer : b.size - a.size;
  });
}

function distanceOf({ format, located }: Pick<GraphInfo, "format" | "located">): number {
  return located ? DISTANCES[format] : FLAT;
}
