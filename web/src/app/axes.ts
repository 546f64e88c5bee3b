/** The horizontal axes in the order of their key. A tag is among them once one was chosen. */

import { useView } from "../state/view";
import type { Axis } from "../state/viewstate";
import { chooseAxis } from "../state/zoom";

export function nextAxis(): void {
  const { axis, xTag } = useView.getState();
  const axes: readonly Axis[] = ["step", "relative", "wall", ...(xTag === "" ? [] : (["tag"] as const))];
  chooseAxis(axes[(axes.indexOf(axis) + 1) % axes.length]!);
}
