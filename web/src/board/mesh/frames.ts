/**
 * Which part of space the views of a mesh show: the box around the first geometry of each run, so that runs can be
 * compared and growth is visible; and the cameras of views that do not share one.
 */

import { create } from "zustand";
import { DEFAULT_POSE, type Pose } from "../view/mesh-view";
import { change, commit, useView } from "../view/view";
import { type Frame, frameOf, joinedBox, type Vector } from "./camera";

interface Shown {
  low: Vector;
  high: Vector;
  /** Views that are included. */
  by: readonly string[];
}

interface Frames {
  shown: Readonly<Record<string, Shown>>;
  poses: Readonly<Record<string, Pose>>;
}

const useFrames = create<Frames>()(() => ({ shown: {}, poses: {} }));

/** The frame of a mesh; null before any geometry was shown. */
export function useFrame(name: string): Frame | null {
  const shown = useFrames((frames) => frames.shown[name]);
  return shown ? frameOf(shown.low, shown.high) : null;
}

/** Includes a geometry, once per view; returns whether it was new. */
export function includePicture(name: string, by: string, box: { low: Vector; high: Vector }): void {
  const { shown } = useFrames.getState();
  const known = shown[name] ?? null;
  if (known?.by.includes(by)) return;
  const joined = joinedBox(known, { low: box.low, high: box.high });
  useFrames.setState({ shown: { ...shown, [name]: { ...joined, by: [...(known?.by ?? []), by] } } });
}

/** Fits everything into view and resets the cameras. */
export function fitAll(): void {
  useFrames.setState({ shown: {}, poses: {} });
  commit({ mesh: { ...useView.getState().mesh, pose: DEFAULT_POSE } });
}

/** The camera of a view, and a function that moves it; `final` when the pointer is released. */
export function usePose(view: string): [Pose, (pose: Pose, final: boolean) => void] {
  const share = useView((state) => state.mesh.share);
  const common = useView((state) => state.mesh.pose);
  const own = useFrames((frames) => frames.poses[view]);
  const update = (pose: Pose, final: boolean) => {
    if (share) (final ? commit : change)({ mesh: { ...useView.getState().mesh, pose } });
    else useFrames.setState(({ poses }) => ({ poses: { ...poses, [view]: pose } }));
  };
  return [share ? common : (own ?? common), update];
}
