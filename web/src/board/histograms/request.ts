/** The request of a card: as much as its plots can show. */

import type { View } from "../view/view-state";
import { columnAxis } from "./columns";
import type { MapRequest } from "./histograms";
import { isCurves } from "./picture";

/** Maximum number of curves of a run; more only cover each other. */
export const MAX_CURVES = 50;
/** Points per curve: about the number of buckets, so that it has no steps. */
const CURVE_ROWS = 40;
/** Sizes are rounded to this, so that dragging an edge rarely fetches. */
const STEP_PX = 32;
const MAX_COLUMNS = 1600;
const MAX_ROWS = 240;
/** Size of a cell in pixels. */
const CELL = { width: 1.8, height: 2.8 };

export type Settings = Pick<
  View,
  "histogramMode" | "histogramRange" | "sharedRange" | "logCount" | "axis" | "zoom" | "pin"
>;

export interface PanelSize {
  width: number;
  height: number;
}

/** `deciding`: runs that share one range with those drawn. */
export function requestOf(
  tag: string,
  runs: readonly number[],
  deciding: readonly number[],
  { histogramMode, histogramRange, sharedRange, axis, zoom, pin }: Settings,
  { width, height }: PanelSize,
): MapRequest {
  const curves = isCurves(histogramMode);
  const wide = Math.ceil(width / STEP_PX) * STEP_PX;
  const tall = Math.ceil(height / STEP_PX) * STEP_PX;
  return {
    tag,
    runs: [...runs],
    columns: curves ? MAX_CURVES : Math.min(MAX_COLUMNS, Math.round(wide / CELL.width)),
    rows: curves ? CURVE_ROWS : Math.min(MAX_ROWS, Math.max(24, Math.round(tall / CELL.height))),
    range: histogramRange,
    shared: sharedRange,
    range_runs: [...deciding],
    thin: curves ? "pick" : "mean",
    kept: curves && pin && Number.isInteger(pin.step) ? pin.step : null,
    depth: curves ? 16 : 8,
    axis: columnAxis(axis),
    x0: axis === "tag" ? null : (zoom?.[0] ?? null),
    x1: axis === "tag" ? null : (zoom?.[1] ?? null),
  };
}
