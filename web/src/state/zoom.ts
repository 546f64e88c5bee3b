/** The shared x range and the way back: a double click returns to the range before, Back of the browser too. */

import { change, commit, useView } from "./view";
import type { Axis, View } from "./viewstate";

type Range = View["zoom"];

let trail: Range[] = [];

/** Shows a range on all cards. Until `final` it is only a look: no step in the history. */
export function zoomTo(zoom: Range, final: boolean): void {
  const before = useView.getState().zoom;
  if (!final) {
    if (settled === undefined) settled = before;
    change({ zoom });
    return;
  }
  trail.push(settled === undefined ? before : settled);
  settled = undefined;
  commit({ zoom });
}

/** The range before a gesture that is still under way. */
let settled: Range | undefined;

export function zoomBack(): void {
  if (useView.getState().zoom === null) return;
  commit({ zoom: trail.pop() ?? null });
}

export function zoomOut(): void {
  trail = [];
  if (useView.getState().zoom !== null) commit({ zoom: null });
}

/** Another axis has other units: the range of the old one says nothing there. */
export function chooseAxis(axis: Axis): void {
  if (axis === useView.getState().axis) return;
  trail = [];
  commit({ axis, zoom: null });
}
