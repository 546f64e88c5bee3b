/**
 * Bookmarks: settings, camera and selection under a name. Stored as JSON; files of TensorBoard's projector are read
 * as far as they correspond. Pure.
 */

import {
  DEFAULT_PROJECTOR,
  type ProjectorView,
  parseProjector,
  printProjector,
} from "../view/projector-view";
import type { Camera } from "./camera";

export interface Bookmark {
  name: string;
  view: ProjectorView;
  camera: Camera | null;
  selected: readonly number[];
  /** Null: all are shown. */
  isolated: readonly number[] | null;
}

const FORMAT = "lightboard.projector.bookmarks";
const MOST = 1_000;

export function printBookmarks(bookmarks: readonly Bookmark[]): string {
  const written = bookmarks.map(({ view, ...rest }) => ({ ...rest, view: printProjector(view) }));
  return JSON.stringify({ format: FORMAT, bookmarks: written }, null, 1);
}

/** Bookmarks from parsed JSON, ours or TensorBoard's; invalid ones are ignored. */
export function parseBookmarks(given: unknown): Bookmark[] {
  if (Array.isArray(given)) return given.slice(0, MOST).flatMap((each, at) => foreign(each, at));
  const { format, bookmarks } = record(given);
  if (format !== FORMAT || !Array.isArray(bookmarks)) return [];
  return bookmarks.slice(0, MOST).map((each) => {
    const { name, view, camera, selected, isolated } = record(each);
    return {
      name: text(name),
      view: parseProjector(text(view)) ?? DEFAULT_PROJECTOR,
      camera: cameraOf(camera),
      selected: rows(selected),
      isolated: Array.isArray(isolated) ? rows(isolated) : null,
    };
  });
}

const METHODS = { pca: "pca", umap: "umap", tsne: "tsne", custom: "custom" } as const;

/** Reads a state of TensorBoard's projector. Its camera uses other coordinates and is ignored. */
function foreign(given: unknown, at: number): Bookmark[] {
  const state = record(given);
  const method = METHODS[text(state.selectedProjection) as keyof typeof METHODS];
  if (method === undefined) return [];
  const components = rows(state.pcaComponentDimensions);
  const solid = { pca: components.length === 3, umap: state.umapIs3d, tsne: state.tSNEis3d, custom: false }[
    method
  ];
  const [x = 0, y = 1, z = 2] = components;
  const number = (value: unknown, usual: number) =>
    typeof value === "number" && Number.isFinite(value) && value > 0 ? value : usual;
  const isolated = rows(state.filteredPoints);
  return [
    {
      name: text(state.label) || `State ${at}`,
      view: {
        ...DEFAULT_PROJECTOR,
        method,
        dims: solid === true ? 3 : 2,
        components: [x, y, z],
        neighbors: number(state.umapNeighbors, DEFAULT_PROJECTOR.neighbors),
        perplexity: number(state.tSNEPerplexity, DEFAULT_PROJECTOR.perplexity),
        learningRate: number(state.tSNELearningRate, DEFAULT_PROJECTOR.learningRate),
        ends: {
          left: text(state.customXLeftText),
          right: text(state.customXRightText),
          up: text(state.customYUpText),
          down: text(state.customYDownText),
        },
        color: text(state.selectedColorOptionName) || null,
        label: text(state.selectedLabelOption) || null,
      },
      camera: null,
      selected: rows(state.selectedPoints),
      isolated: isolated.length > 0 ? isolated : null,
    },
  ];
}

function record(given: unknown): Record<string, unknown> {
  return typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {};
}

function text(given: unknown): string {
  return typeof given === "string" ? given : "";
}

function rows(given: unknown): number[] {
  return Array.isArray(given) ? given.filter((row) => Number.isInteger(row) && row >= 0) : [];
}

function cameraOf(given: unknown): Camera | null {
  const { x, y, span, yaw, pitch } = record(given);
  const camera = { x, y, span, yaw, pitch };
  return Object.values(camera).every((value) => Number.isFinite(value)) ? (camera as Camera) : null;
}
