/**
 * The zoom: x shared by all cards, or a box of one card. A double click returns to the previous range, and so does
 * Back.
 */

import { change, commit, useView } from "./view";
import type { Axis, Box, Span, View } from "./view-state";

type Ranges = Pick<View, "zoom" | "boxes">;

const NOTHING: Ranges = { zoom: null, boxes: [] };

let trail: Ranges[] = [];
/** The ranges before the current gesture. */
let rangesBefore: Ranges | null = null;

function ranges(): Ranges {
  const { zoom, boxes } = useView.getState();
  return { zoom, boxes };
}

/** Whether a zoom gesture is in progress; points for the new range are fetched when it ends. */
export function isZooming(): boolean {
  return rangesBefore !== null;
}

export function boxOf(view: View, tag: string): Box | null {
  return view.boxes.find((box) => box.tag === tag) ?? null;
}

/** Zooms all cards in x. Until `final` it is a preview, without an entry in the history. */
export function zoomAll(zoom: Span, final: boolean): void {
  show({ zoom: tidy(zoom), boxes: [] }, final);
}

/** Zooms one card. */
export function zoomCard(box: Box, final: boolean): void {
  const { zoom, boxes } = ranges();
  const own: Box = { tag: box.tag, x: tidy(box.x), y: tidy(box.y) };
  show({ zoom, boxes: [...boxes.filter(({ tag }) => tag !== box.tag), own] }, final);
}

/** Rounds to a ten-thousandth of the range: finer than a pixel, and short enough for an address. */
function tidy([from, to]: Span): Span {
  const digits = 4 - Math.floor(Math.log10(to - from));
  if (!Number.isFinite(digits) || digits > 15) return [from, to];
  const scale = 10 ** Math.max(0, digits);
  const ends: Span = [Math.round(from * scale) / scale, Math.round(to * scale) / scale];
  return ends[0] < ends[1] ? ends : [from, to];
}

function show(next: Ranges, final: boolean): void {
  rangesBefore ??= ranges();
  if (!final) {
    change(next);
    return;
  }
  // The gesture changed the history entry that it started in: restore it.
  change(rangesBefore);
  trail.push(rangesBefore);
  rangesBefore = null;
  commit(next);
}

/** Returns to the previous range, or to everything if there is none. */
export function zoomBack(): void {
  const now = ranges();
  if (now.zoom === null && now.boxes.length === 0) return;
  let before = trail.pop();
  // Undo may have restored it already.
  while (before && JSON.stringify(before) === JSON.stringify(now)) before = trail.pop();
  commit(before ?? NOTHING);
}

export function zoomOut(): void {
  trail = [];
  const { zoom, boxes } = ranges();
  if (zoom !== null || boxes.length > 0) commit(NOTHING);
}

/** Changes the axis and drops the ranges, whose units differ. */
export function chooseAxis(axis: Axis): void {
  if (axis === useView.getState().axis) return;
  trail = [];
  commit({ axis, ...NOTHING });
}

/** Uses the values of another tag as x. */
export function chooseTagAxis(xTag: string): void {
  const view = useView.getState();
  if (view.axis === "tag" && view.xTag === xTag) return;
  trail = [];
  commit({ axis: "tag", xTag, ...NOTHING });
}
