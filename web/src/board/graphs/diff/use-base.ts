/** The picture of the graph that another one is compared with, and what keeps both together. */

import { useMemo, useState } from "react";
import { alignedCamera } from "../geometry/alignment";
import type { Camera } from "../geometry/camera";
import type { GraphName } from "../graph-data";
import type { PaneState } from "../pane";
import type { DiffMarks, DiffSide } from "./diff-marks";
import type { Comparison } from "./use-comparison";

export interface Base {
  /** Null until there are differences to be marked. */
  marks: DiffMarks | null;
  /** Null while there is no comparison. */
  pane: PaneState | null;
  setPane(pane: PaneState | null): void;
  /** Which of the two is shown where there is room for one. */
  shown: DiffSide;
  show(side: DiffSide): void;
  /** Paths of what is open in any of the two. */
  openNow: readonly string[];
  /** The base, if only it has what is at a path. */
  nameOf(path: string): GraphName | null;
  /** Looks where the graph does. */
  look(camera: Camera): void;
  /** Lets the graph look where the base does. */
  lookBack(camera: Camera): void;
  fit(path: string): void;
  reveal(path: string): void;
}

export function useBase(comparison: Comparison | null, graph: PaneState): Base {
  const [pane, setPane] = useState<PaneState | null>(null);
  const [shown, show] = useState<DiffSide>("graph");
  const marks = comparison?.marks ?? null;
  const name = comparison?.name ?? null;
  return useMemo((): Base => {
    const inBase = (path: string) => marks?.inBase(path) ?? path;
    const inView = (path: string) => marks?.inView(path) ?? path;
    const isOnlyInBase = (path: string) => marks?.isOnlyInBase(path) ?? false;
    return {
      marks,
      pane,
      setPane,
      shown,
      show,
      openNow: [...new Set([...graph.tree.open, ...(pane?.tree.open ?? []).map(inView)])],
      nameOf: (path) => (isOnlyInBase(path) ? name : null),
      look: (camera) => {
        if (!pane?.picture || !graph.picture) return;
        pane.stage?.follow(alignedCamera(graph.picture, pane.picture, camera, inBase));
      },
      lookBack: (camera) => {
        if (!pane?.picture || !graph.picture) return;
        graph.stage?.follow(alignedCamera(pane.picture, graph.picture, camera, inView));
      },
      fit: (path) => {
        if (path === "" || pane?.picture?.places.has(inBase(path))) pane?.stage?.fit(inBase(path));
      },
      reveal: (path) => {
        pane?.reveal(inBase(path));
        show(isOnlyInBase(path) ? "base" : "graph");
      },
    };
  }, [marks, name, pane, graph, shown]);
}
