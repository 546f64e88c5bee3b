import { describe, expect, test } from "vitest";
import { DEFAULT_PROJECTOR, type ProjectorView, parseProjector, printProjector } from "./projector-view";

describe("the page of embeddings in the address", () => {
  test("says nothing of what is as always", () => {
    expect(printProjector(DEFAULT_PROJECTOR)).toBe("");
  });

  test("says what was chosen, and is read back", () => {
    const view: ProjectorView = {
      run: "a;b",
      tensor: "words,50%",
      method: "umap",
      dims: 3,
      components: [0, 3, 9],
      neighbors: 30,
      minDist: 0.5,
      perplexity: 12,
      learningRate: 200,
      spherize: true,
      ends: { left: "bad", right: "good=best", up: "", down: "^x;y$" },
      color: "",
      label: "слово",
      marks: "images",
    };
    expect(parseProjector(printProjector(view))).toEqual(view);
  });

  test("short where little differs", () => {
    expect(printProjector({ ...DEFAULT_PROJECTOR, method: "tsne", dims: 3, color: "label" })).toBe(
      "method=tsne;dims=3;color=label",
    );
  });

  test("what makes no sense takes its default", () => {
    const odd = "method=magic;dims=7;components=1:2;neighbors=-4;perplexity=many;spherize=perhaps;marks=;x";
    expect(parseProjector(odd)).toEqual(DEFAULT_PROJECTOR);
  });
});
