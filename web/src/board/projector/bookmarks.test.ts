import { expect, test } from "vitest";
import { DEFAULT_PROJECTOR } from "../view/projector-view";
import { type Bookmark, parseBookmarks, printBookmarks } from "./bookmarks";

const BOOKMARK: Bookmark = {
  name: "кошки",
  view: { ...DEFAULT_PROJECTOR, tensor: "words", method: "umap", dims: 3, color: "label" },
  camera: { x: 1, y: 2, span: 3, yaw: 0.5, pitch: -0.25 },
  selected: [3, 5],
  isolated: null,
};

test("bookmarks are read back as they were", () => {
  const two = [BOOKMARK, { ...BOOKMARK, name: "b", camera: null, isolated: [1, 2] }];
  expect(parseBookmarks(JSON.parse(printBookmarks(two)))).toEqual(two);
});

test("a file of TensorBoard's projector is read as far as it says the same", () => {
  const state = {
    label: "cats",
    selectedProjection: "tsne",
    tSNEis3d: true,
    tSNEPerplexity: 12,
    tSNELearningRate: 10,
    pcaComponentDimensions: [0, 1],
    selectedColorOptionName: "label",
    selectedLabelOption: "word",
    selectedPoints: [4, 2],
    filteredPoints: [],
    cameraDef: { orthographic: false, position: [0, 0, 1], target: [0, 0, 0], zoom: 1 },
    projections: [{ "tsne-0": 0.1 }],
  };
  expect(parseBookmarks([state, "nonsense", { selectedProjection: "magic" }])).toEqual([
    {
      name: "cats",
      view: {
        ...DEFAULT_PROJECTOR,
        method: "tsne",
        dims: 3,
        perplexity: 12,
        learningRate: 10,
        color: "label",
        label: "word",
      },
      camera: null,
      selected: [4, 2],
      isolated: null,
    },
  ]);
});

test.each([null, 7, "x", {}, { format: "other", bookmarks: [{}] }])("%j holds no bookmarks", (given) => {
  expect(parseBookmarks(given)).toEqual([]);
});
