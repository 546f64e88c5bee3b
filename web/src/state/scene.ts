/**
 * What moves with the pointer and is shared by all cards: the cursor and the highlighted run. Charts read it by
 * subscription; nothing here is drawn by React on the way of a moving pointer.
 */

import { create } from "zustand";

export interface Cursor {
  /** In units of the axis of the page: a step, or seconds. */
  x: number;
  /** The step there, if known; it is what other axes and other cards call this place. */
  step: number | null;
  /** Card the pointer is over. */
  tag: string;
}

export interface Scene {
  cursor: Cursor | null;
  /** Run under the pointer, on a chart or in the table. */
  hovered: number | null;
  /** Run held in front by a click on its name. */
  held: number | null;
  /** Where the hover came from: a chart brings its row into view, a row does not move the table. */
  source: "chart" | "table" | null;
}

export const useScene = create<Scene>()(() => ({ cursor: null, hovered: null, held: null, source: null }));

/** The run in front of the others: the hovered one, else the held one. */
export function highlighted(scene: Scene): number | null {
  return scene.hovered ?? scene.held;
}

export function hover(run: number | null, source: "chart" | "table"): void {
  const scene = useScene.getState();
  if (scene.hovered !== run) useScene.setState({ hovered: run, source: run === null ? null : source });
}

export function moveCursor(cursor: Cursor | null): void {
  useScene.setState({ cursor });
}

/** Holds a run in front; the same again lets it go. */
export function hold(run: number | null): void {
  const { held } = useScene.getState();
  useScene.setState({ held: held === run ? null : run });
}
