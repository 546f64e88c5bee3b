/** What a card asks for: as much as its pictures can show. */

import type { MapQuestion } from "../../state/histograms";
import type { View } from "../../state/viewstate";
import { columnAxis } from "./columns";
import { isCurves } from "./picture";

/** Curves that are drawn of a run; more only cover each other. */
export const MOST_CURVES = 50;
/** Points of a curve: about as many as there are buckets, so that it has no stairs. */
const CURVE_ROWS = 40;
/** Sizes are asked for in such steps, so that a dragged edge asks seldom. */
const STEP_PX = 32;
const MOST_COLUMNS = 1600;
const MOST_ROWS = 240;
/** Pixels of a cell. */
const CELL = { width: 1.8, height: 2.8 };

export type Settings = Pick<
  View,
  "histogramMode" | "histogramRange" | "sharedRange" | "logCount" | "axis" | "zoom" | "pin"
>;

export interface PanelSize {
  width: number;
  height: number;
}

/** `deciding`: runs that have one range with those drawn. */
export function questionOf(
  tag: string,
  runs: readonly number[],
  deciding: readonly number[],
  { histogramMode, histogramRange, sharedRange, axis, zoom, pin }: Settings,
  { width, height }: PanelSize,
): MapQuestion {
  const curves = isCurves(histogramMode);
  const wide = Math.ceil(width / STEP_PX) * STEP_PX;
  const tall = Math.ceil(height / STEP_PX) * STEP_PX;
  return {
    tag,
    runs: [...runs],
    columns: curves ? MOST_CURVES : Math.min(MOST_COLUMNS, Math.round(wide / CELL.width)),
    rows: curves ? CURVE_ROWS : Math.min(MOST_ROWS, Math.max(24, Math.round(tall / CELL.height))),
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
