import { expect, test } from "vitest";
import { DEFAULT_PROJECTOR } from "../view/projector-view";
import { requestOf } from "./request";

const TENSOR = { run: "a", name: "words" };
const view = (more: Partial<typeof DEFAULT_PROJECTOR>) => ({ ...DEFAULT_PROJECTOR, ...more });

test("PCA asks for one component for each dimension", () => {
  expect(requestOf(TENSOR, view({ components: [0, 4, 2] }), null, null)).toEqual({
    ...TENSOR,
    method: "pca",
    dims: 2,
    params: { spherize: false, components: [0, 4] },
  });
});

test("UMAP and t-SNE are told what concerns them", () => {
  const umap = requestOf(TENSOR, view({ method: "umap", dims: 3, neighbors: 30, minDist: 0.2 }), null, null);
  expect([umap?.dims, umap?.params]).toEqual([3, { spherize: false, neighbors: 30, min_dist: 0.2 }]);
  const tsne = requestOf(TENSOR, view({ method: "tsne", perplexity: 12, learningRate: 200 }), null, null);
  expect(tsne?.params).toEqual({ spherize: false, perplexity: 12, learning_rate: 200 });
  expect(requestOf(TENSOR, view({ method: "tsne" }), null, null)?.params).toEqual({
    spherize: false,
    perplexity: 30,
  });
});

test("own axes are told by the labels at their ends, in two dimensions", () => {
  const ends = { left: "bad", right: "/^good$/", up: "", down: "" };
  expect(requestOf(TENSOR, view({ method: "custom", dims: 3, ends }), "word", null)).toEqual({
    ...TENSOR,
    method: "custom",
    dims: 2,
    params: { spherize: false, column: "word", ...ends },
  });
});

test.each([
  ["no end is told", { left: "", right: " ", up: "", down: "" }, "word"],
  ["there are no labels", { left: "a", right: "", up: "b", down: "" }, null],
])("nothing is asked while %s", (_, ends, label) => {
  expect(requestOf(TENSOR, view({ method: "custom", ends }), label, null)).toBe(null);
});

test("some rows alone", () => {
  expect(requestOf(TENSOR, view({}), null, Uint32Array.of(3, 5))?.rows).toEqual([3, 5]);
});
