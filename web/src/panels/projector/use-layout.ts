/** The layout that the address asks for, followed while the server makes it; its places go straight to the scene. */

import { useCallback, useEffect, useMemo, useState } from "react";
import {
  askLayout,
  askPositions,
  beginLayout,
  cancelLayout,
  type LayoutAnswer,
  type LayoutQuestion,
} from "../../api/projector";
import type { ProjectorView } from "../../state/projectorview";
import { followLayout, isOver, type LayoutDoor } from "./layout";
import { questionOf } from "./question";
import type { Rows } from "./rows";
import type { Scene } from "./scene";
import { familyOf, type Tensor } from "./tensors";

export interface ShownLayout {
  task: LayoutAnswer | null;
  error: Error | null;
  /** Something is missing that only a person can say. */
  idle: boolean;
  /** Rises with each set of places that came. */
  places: number;
  again(): void;
  cancel(): void;
}

const DOOR: LayoutDoor<LayoutQuestion, LayoutAnswer> = {
  begin: beginLayout,
  ask: askLayout,
  places: askPositions,
  cancel: cancelLayout,
};
/** Soon at first, as small layouts are done at once. */
const waitMs = (turn: number) => Math.min(400, 60 * 1.5 ** turn);
/** Methods that take their time. */
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
  const [turn, setTurn] = useState(0);
  const question = useMemo(() => questionOf(tensor, view, label, only), [tensor, view, label, only]);
  const asked = question === null ? null : JSON.stringify(question);
  const family = familyOf(tensor);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tensor is seen whole at first, another step of it where one was
  useEffect(() => {
    scene?.clear();
    setNews(NEWS);
  }, [scene, family]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn asks the same again
  useEffect(() => {
    if (scene === null || asked === null) return;
    const stop = new AbortController();
    const wait = (turn: number) => new Promise<void>((resolve) => setTimeout(resolve, waitMs(turn)));
    let rows: Rows | null = null;
    const door: LayoutDoor<LayoutQuestion, LayoutAnswer> = {
      ...DOOR,
      begin: async (question, signal) => {
        const layout = await beginLayout(question, signal);
        rows = layout.rows === null ? null : Uint32Array.from(layout.rows);
        return layout;
      },
    };
    const tell = (task: LayoutAnswer | null, places: ArrayBuffer | null) => {
      if (places !== null) scene.place(places, rows);
      setNews((before) => ({ task, error: null, places: before.places + (places === null ? 0 : 1) }));
    };
    const follow = async (question: LayoutQuestion) => {
      const { run, name, method, dims = 2 } = question;
      if (SLOW.has(method) && scene.count === 0) {
        // Something to look at, until the first places come.
        const first = { run, name, method: "pca", dims, params: {} } as const;
        await followLayout(DOOR, first, ({ places }) => tell(null, places), wait, stop.signal);
      }
      if (stop.signal.aborted) return;
      await followLayout(door, question, ({ task, places }) => tell(task, places), wait, stop.signal);
    };
    follow(JSON.parse(asked) as LayoutQuestion).catch((error: Error) => {
      if (!stop.signal.aborted) setNews((before) => ({ ...before, task: null, error }));
    });
    return () => stop.abort();
  }, [scene, asked, turn]);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  const { task } = news;
  const cancel = useCallback(() => {
    if (task !== null && !isOver(task)) void cancelLayout(task.id);
  }, [task]);
  return useMemo(() => ({ ...news, idle: asked === null, again, cancel }), [news, asked, again, cancel]);
}
