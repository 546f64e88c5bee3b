/**
 * The ranges in view: x shared by all cards, or a box of one card alone. A double click returns to what was before,
 * and so does Back of the browser.
 */

import { change, commit, useView } from "./view";
import type { Axis, Box, Span, View } from "./viewstate";

type Ranges = Pick<View, "zoom" | "boxes">;

const NOTHING: Ranges = { zoom: null, boxes: [] };

let trail: Ranges[] = [];
/** The ranges before a gesture that is still under way. */
let settled: Ranges | null = null;

function ranges(): Ranges {
  const { zoom, boxes } = useView.getState();
  return { zoom, boxes };
}

/** The range still moves: points for it are worth asking for when it rests. */
export function gestureUnderWay(): boolean {
  return settled !== null;
}

export function boxOf(view: View, tag: string): Box | null {
  return view.boxes.find((box) => box.tag === tag) ?? null;
}

/** Shows one range of x on all cards. Until `final` it is only a look: no step in the history. */
export function zoomAll(zoom: Span, final: boolean): void {
  show({ zoom: tidy(zoom), boxes: [] }, final);
}

/** Shows a box on one card. */
export function zoomCard(box: Box, final: boolean): void {
  const { zoom, boxes } = ranges();
  const own: Box = { tag: box.tag, x: tidy(box.x), y: tidy(box.y) };
  show({ zoom, boxes: [...boxes.filter(({ tag }) => tag !== box.tag), own] }, final);
}

/** Ends to a ten-thousandth of the range: finer than a pixel, and short enough for an address. */
function tidy([from, to]: Span): Span {
  const digits = 4 - Math.floor(Math.log10(to - from));
  if (!Number.isFinite(digits) || digits > 15) return [from, to];
  const scale = 10 ** Math.max(0, digits);
  const ends: Span = [Math.round(from * scale) / scale, Math.round(to * scale) / scale];
  return ends[0] < ends[1] ? ends : [from, to];
}

function show(next: Ranges, final: boolean): void {
  settled ??= ranges();
  if (!final) {
    change(next);
    return;
  }
  // The gesture wrote over the entry of the history it began in: that one says again what it was.
  change(settled);
  trail.push(settled);
  settled = null;
  commit(next);
}

/** Back one range; to everything when there is nothing to go back to. */
export function zoomBack(): void {
  const now = ranges();
  if (now.zoom === null && now.boxes.length === 0) return;
  let before = trail.pop();
  // Undo may have gone back already.
  while (before && JSON.stringify(before) === JSON.stringify(now)) before = trail.pop();
  commit(before ?? NOTHING);
}

export function zoomOut(): void {
  trail = [];
  const { zoom, boxes } = ranges();
  if (zoom !== null || boxes.length > 0) commit(NOTHING);
}

/** Another axis has other units: the ranges of the old one say nothing there. */
export function chooseAxis(axis: Axis): void {
  if (axis === useView.getState().axis) return;
  trail = [];
  commit({ axis, ...NOTHING });
}

/** The values of another tag as x. */
export function chooseTagAxis(xTag: string): void {
  const view = useView.getState();
  if (view.axis === "tag" && view.xTag === xTag) return;
  trail = [];
  commit({ axis: "tag", xTag, ...NOTHING });
}
