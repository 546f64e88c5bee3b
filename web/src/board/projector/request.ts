/** The layout request for the current view. Pure. */

import type { LayoutBody } from "../../api/projector";
import type { ProjectorView } from "../view/projector-view";
import type { Rows } from "./rows";
import type { Tensor } from "./tensors";

/** Null if the user has to provide something first. `only` are the rows to lay out; null is all. */
export function requestOf(
  { run, name }: Pick<Tensor, "run" | "name">,
  view: ProjectorView,
  label: string | null,
  only: Rows | null,
): LayoutBody | null {
  const params = paramsOf(view, label);
  if (params === null) return null;
  const dims = view.method === "custom" ? 2 : view.dims;
  return { run, name, method: view.method, dims, params, ...(only && { rows: [...only] }) };
}

function paramsOf(view: ProjectorView, label: string | null): NonNullable<LayoutBody["params"]> | null {
  const { spherize } = view;
  switch (view.method) {
    case "pca":
      return { spherize, components: view.components.slice(0, view.dims) };
    case "umap":
      return { spherize, neighbors: view.neighbors, min_dist: view.minDist };
    case "tsne": {
      const rate = view.learningRate > 0 ? { learning_rate: view.learningRate } : {};
      return { spherize, perplexity: view.perplexity, ...rate };
    }
    case "custom": {
      const { left, right, up, down } = view.ends;
      const hasEnds = [left, right, up, down].some((end) => end.trim() !== "");
      return label === null || !hasEnds ? null : { spherize, column: label, left, right, up, down };
    }
  }
}
