/** The layout that the address asks for, in the words of the server. Pure. */

import type { LayoutQuestion } from "../../api/projector";
import type { ProjectorView } from "../../state/projectorview";
import type { Rows } from "./rows";
import type { Tensor } from "./tensors";

/** Null where something is missing that only a person can say. `only` are the rows to lay out; null is all. */
export function questionOf(
  { run, name }: Pick<Tensor, "run" | "name">,
  view: ProjectorView,
  label: string | null,
  only: Rows | null,
): LayoutQuestion | null {
  const params = paramsOf(view, label);
  if (params === null) return null;
  const dims = view.method === "custom" ? 2 : view.dims;
  return { run, name, method: view.method, dims, params, ...(only && { rows: [...only] }) };
}

function paramsOf(view: ProjectorView, label: string | null): NonNullable<LayoutQuestion["params"]> | null {
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
      const told = [left, right, up, down].some((end) => end.trim() !== "");
      return label === null || !told ? null : { spherize, column: label, left, right, up, down };
    }
  }
}
