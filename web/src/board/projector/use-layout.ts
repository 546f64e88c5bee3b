/** The layout for the current view, followed while the server computes it; positions go directly to the scene. */

import { useCallback, useEffect, useMemo, useState } from "react";
import {
  cancelLayout,
  fetchLayout,
  fetchPositions,
  type LayoutBody,
  type LayoutResponse,
  startLayout,
} from "../../api/projector";
import type { ProjectorView } from "../view/projector-view";
import { followLayout, isOver, type LayoutApi } from "./layout";
import { requestOf } from "./request";
import type { Rows } from "./rows";
import type { Scene } from "./scene";
import { familyOf, type Tensor } from "./tensors";

export interface ShownLayout {
  task: LayoutResponse | null;
  error: Error | null;
  /** The user has to provide something first. */
  idle: boolean;
  /** Increases with each set of positions. */
  places: number;
  again(): void;
  cancel(): void;
}

const DOOR: LayoutApi<LayoutBody, LayoutResponse> = {
  begin: startLayout,
  ask: fetchLayout,
  places: fetchPositions,
  cancel: cancelLayout,
};
/** Short at first, as small layouts finish at once. */
const waitMs = (attempt: number) => Math.min(400, 60 * 1.5 ** attempt);
/** Slow methods. */
const SLOW: ReadonlySet<string> = new Set(["umap", "tsne"]);
const NEWS = { task: null, error: null, places: 0 } as const;

export function useLayout(
  tensor: Tensor,
  view: ProjectorView,
  label: string | null,
  only: Rows | null,
  scene: Scene | null,
): ShownLayout {
  const [news, setNews] = useState<Omit<ShownLayout, "again" | "cancel" | "idle">>(NEWS);
  const [attempt, setAttempt] = useState(0);
  const request = useMemo(() => requestOf(tensor, view, label, only), [tensor, view, label, only]);
  const requestKey = request === null ? null : JSON.stringify(request);
  const family = familyOf(tensor);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tensor is seen whole at first, another step of it where one was
  useEffect(() => {
    scene?.clear();
    setNews(NEWS);
  }, [scene, family]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn asks the same again
  useEffect(() => {
    if (scene === null || requestKey === null) return;
    const stop = new AbortController();
    const wait = (attempt: number) => new Promise<void>((resolve) => setTimeout(resolve, waitMs(attempt)));
    let rows: Rows | null = null;
    const api: LayoutApi<LayoutBody, LayoutResponse> = {
      ...DOOR,
      begin: async (request, signal) => {
        const layout = await startLayout(request, signal);
        rows = layout.rows === null ? null : Uint32Array.from(layout.rows);
        return layout;
      },
    };
    const tell = (task: LayoutResponse | null, places: ArrayBuffer | null) => {
      if (places !== null) scene.place(places, rows);
      setNews((before) => ({ task, error: null, places: before.places + (places === null ? 0 : 1) }));
    };
    const follow = async (request: LayoutBody) => {
      const { run, name, method, dims = 2 } = request;
      if (SLOW.has(method) && scene.count === 0) {
        // A preview until the first positions arrive.
        const first = { run, name, method: "pca", dims, params: {} } as const;
        await followLayout(DOOR, first, ({ places }) => tell(null, places), wait, stop.signal);
      }
      if (stop.signal.aborted) return;
      await followLayout(api, request, ({ task, places }) => tell(task, places), wait, stop.signal);
    };
    follow(JSON.parse(requestKey) as LayoutBody).catch((error: Error) => {
      if (!stop.signal.aborted) setNews((before) => ({ ...before, task: null, error }));
    });
    return () => stop.abort();
  }, [scene, requestKey, attempt]);
  const again = useCallback(() => setAttempt((before) => before + 1), []);
  const { task } = news;
  const cancel = useCallback(() => {
    if (task !== null && !isOver(task)) void cancelLayout(task.id);
  }, [task]);
  return useMemo(
    () => ({ ...news, idle: requestKey === null, again, cancel }),
    [news, requestKey, again, cancel],
  );
}
