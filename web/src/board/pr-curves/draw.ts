/**
 * Draws PR, ROC and threshold curves with a pen: on a canvas, or to SVG. The layout computed first (`compose`) also
 * serves hit tests. No DOM.
 */

import type { ChartTheme } from "../../chart";
import { fontOf, type Pen, sharp } from "../../chart/pen";
import { makeScale, type Scale } from "../../chart/scale";
import { linearTicks, type Ticks } from "../../chart/ticks";
import type { PrMode } from "../view/view-state";
import type { Domain, Line, Part } from "./points";

export interface Size {
  width: number;
  height: number;
}

/** The lines of one run in its colour. */
export interface DrawnRun {
  run: number;
  label: string;
  color: string;
  dash: readonly number[];
  lines: readonly Line[];
  /** Number of thresholds of its curve. */
  thresholds: number;
}

export interface Model {
  mode: PrMode;
  runs: readonly DrawnRun[];
  domain: Domain;
  isoF1: boolean;
  highlighted: number | null;
  xName: string;
  yName: string;
  theme: ChartTheme;
}

export interface Layout {
  size: Size;
  plot: { left: number; top: number; right: number; bottom: number };
  x: Scale;
  y: Scale;
  xTicks: Ticks;
  yTicks: Ticks;
}

const MARGIN = { top: 10, right: 14, bottom: 36, left: 52 };
/** Room for the labels of lines of equal F1, outside the curves. */
const F1_MARGIN = 42;
/** Values of the lines of equal F1. */
export const ISO_F1 = [0.2, 0.4, 0.6, 0.8, 0.9] as const;
export const PART_DASHES: Record<Part, readonly number[] | null> = {
  curve: null,
  precision: [],
  recall: [6, 3],
  f1: [2, 3],
};
const LINE_PX = 1.75;

export function compose(model: Pick<Model, "domain" | "mode" | "isoF1">, size: Size): Layout {
  const { domain } = model;
  const { top, left } = MARGIN;
  const right = Math.max(left + 8, size.width - (hasIsoF1(model) ? F1_MARGIN : MARGIN.right));
  const bottom = Math.max(top + 8, size.height - MARGIN.bottom);
  return {
    size,
    plot: { left, top, right, bottom },
    x: makeScale("linear", domain.x, [left, right]),
    y: makeScale("linear", domain.y, [bottom, top]),
    xTicks: linearTicks(...domain.x, Math.max(2, Math.min(6, Math.floor((right - left) / 60)))),
    yTicks: linearTicks(...domain.y, Math.max(2, Math.min(6, Math.floor((bottom - top) / 28)))),
  };
}

/** Draws everything that does not follow the pointer. */
export function drawCurves(pen: Pen, model: Model, layout: Layout, pixelRatio: number): void {
  drawGrid(pen, model, layout, pixelRatio);
  if (hasIsoF1(model)) nameIsoF1(pen, model, layout);
  pen.save();
  clipTo(pen, layout);
  if (model.mode === "roc") drawChance(pen, model, layout);
  if (hasIsoF1(model)) drawIsoF1(pen, model, layout);
  const front = model.runs.filter(({ run }) => run === model.highlighted);
  const dimmed = front.length > 0;
  for (const run of model.runs) {
    if (run.run !== model.highlighted) drawRun(pen, model, run, layout, dimmed ? model.theme.dimAlpha : 1);
  }
  for (const run of front) drawRun(pen, model, run, layout, 1);
  pen.restore();
}

/** Draws a mark on each line at a threshold; in the mode of thresholds also a vertical line. */
export function drawThreshold(
  pen: Pen,
  model: Model,
  layout: Layout,
  threshold: number,
  spots: readonly CurvePoint[],
): void {
  const { theme } = model;
  if (model.mode === "threshold") {
    const { top, bottom } = layout.plot;
    const x = layout.x.map(threshold);
    pen.strokeStyle = theme.cursor;
    pen.lineWidth = 1;
    pen.setLineDash([]);
    pen.beginPath();
    pen.moveTo(x, top);
    pen.lineTo(x, bottom);
    pen.stroke();
  }
  for (const spot of spots) {
    const front = model.highlighted === null || spot.run === model.highlighted;
    pen.globalAlpha = front ? 1 : theme.dimAlpha;
    pen.fillStyle = spot.color;
    pen.strokeStyle = theme.surface;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.arc(spot.x, spot.y, 4, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

/** A point of a line in pixels. */
export interface CurvePoint {
  run: number;
  part: Part;
  color: string;
  /** Index of its threshold in the curve. */
  at: number;
  x: number;
  y: number;
}

/** The point of each line at a threshold. */
export function curvePointsAt(model: Model, layout: Layout, threshold: number): CurvePoint[] {
  return model.runs.flatMap(({ run, color, lines, thresholds }) => {
    const wanted = Math.round(threshold * (thresholds - 1));
    return lines.flatMap(({ part, x, y, at }) => {
      const place = at.indexOf(wanted);
      if (place < 0) return [];
      return [{ run, part, color, at: wanted, x: layout.x.map(x[place]!), y: layout.y.map(y[place]!) }];
    });
  });
}

/** The threshold of a point. */
export function thresholdOf(model: Model, { run, at }: CurvePoint): number {
  const count = model.runs.find((each) => each.run === run)?.thresholds ?? 1;
  return count > 1 ? at / (count - 1) : 0;
}

/** Draws the box of a zoom selection. */
export function drawBox(
  pen: Pen,
  { theme }: Model,
  { x0, y0, x1, y1 }: { x0: number; y0: number; x1: number; y1: number },
): void {
  pen.strokeStyle = theme.accent;
  pen.fillStyle = theme.accent;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.rect(x0, y0, x1 - x0, y1 - y0);
  pen.globalAlpha = 0.12;
  pen.fill();
  pen.globalAlpha = 1;
  pen.stroke();
}

/** The point nearest to a position in pixels; in the mode of thresholds horizontal distance counts first. */
export function nearest(model: Model, layout: Layout, px: number, py: number): CurvePoint | null {
  const sideways = model.mode === "threshold" ? 1000 : 1;
  let best: CurvePoint | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const { run, color, lines } of model.runs) {
    for (const { part, x, y, at } of lines) {
      for (let place = 0; place < at.length; place++) {
        const [sx, sy] = [layout.x.map(x[place]!), layout.y.map(y[place]!)];
        const apart = sideways * (sx - px) ** 2 + (sy - py) ** 2;
        if (apart >= least) continue;
        least = apart;
        best = { run, part, color, at: at[place]!, x: sx, y: sy };
      }
    }
  }
  return best;
}

function clipTo(pen: Pen, { plot }: Layout): void {
  pen.beginPath();
  // Lines along an edge keep their full width.
  pen.rect(plot.left - 1, plot.top - 2, plot.right - plot.left + 3, plot.bottom - plot.top + 4);
  pen.clip();
}

function drawGrid(pen: Pen, { theme, xName, yName }: Model, layout: Layout, pixelRatio: number): void {
  const { plot, x, y, xTicks, yTicks } = layout;
  pen.font = fontOf(theme);
  pen.lineWidth = 1;
  pen.setLineDash([]);
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  yTicks.values.forEach((value, at) => {
    const place = sharp(y.map(value), pixelRatio);
    rule(pen, theme.grid, plot.left, place, plot.right, place);
    pen.fillStyle = theme.axisText;
    pen.fillText(yTicks.labels[at]!, plot.left - 6, place);
  });
  pen.textAlign = "center";
  xTicks.values.forEach((value, at) => {
    const place = sharp(x.map(value), pixelRatio);
    rule(pen, theme.grid, place, plot.top, place, plot.bottom);
    pen.fillStyle = theme.axisText;
    pen.fillText(xTicks.labels[at]!, place, plot.bottom + 10);
  });
  const base = sharp(plot.bottom, pixelRatio);
  rule(pen, theme.axis, plot.left, base, plot.right, base);
  pen.fillStyle = theme.axisText;
  pen.fillText(xName, (plot.left + plot.right) / 2, plot.bottom + 26);
  drawUpwards(pen, yName, 12, (plot.top + plot.bottom) / 2);
}

/** The name of y is rotated along its axis if the pen can rotate; in exports it is above. */
function drawUpwards(
  pen: Pen & Partial<Pick<CanvasRenderingContext2D, "rotate">>,
  text: string,
  x: number,
  y: number,
): void {
  if (text === "" || !pen.rotate) return;
  pen.save();
  pen.translate(x, y);
  pen.rotate(-Math.PI / 2);
  pen.fillText(text, 0, 0);
  pen.restore();
}

function rule(pen: Pen, color: string, x0: number, y0: number, x1: number, y1: number): void {
  pen.strokeStyle = color;
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}

/** Draws the line of random guessing. */
function drawChance(pen: Pen, { theme }: Model, { x, y }: Layout): void {
  pen.setLineDash([4, 4]);
  rule(pen, theme.axis, x.map(0), y.map(0), x.map(1), y.map(1));
  pen.setLineDash([]);
}

function hasIsoF1({ mode, isoF1 }: Pick<Model, "mode" | "isoF1">): boolean {
  return mode === "pr" && isoF1;
}

/** P = F R / (2 R − F): the precision with this F1 at a recall; infinite if there is none. */
export function precisionAt(f1: number, recall: number): number {
  return recall > f1 / 2 ? (f1 * recall) / (2 * recall - f1) : Number.POSITIVE_INFINITY;
}

/** Draws lines of equal F1. */
function drawIsoF1(pen: Pen, { theme, domain }: Model, layout: Layout): void {
  const { plot } = layout;
  pen.strokeStyle = theme.axis;
  pen.lineWidth = 1;
  pen.setLineDash([1, 3]);
  for (const f1 of ISO_F1) {
    if (precisionAt(f1, domain.x[1]) > domain.y[1]) continue;
    pen.beginPath();
    let begun = false;
    for (let px = plot.left; px <= plot.right; px += 2) {
      const precision = precisionAt(f1, layout.x.invert(px));
      if (precision > domain.y[1] * 2) continue;
      if (begun) pen.lineTo(px, layout.y.map(precision));
      else pen.moveTo(px, layout.y.map(precision));
      begun = true;
    }
    pen.stroke();
  }
  pen.setLineDash([]);
}

/** Labels each line where it leaves the plot: at the right, or above the lower edge. */
function nameIsoF1(pen: Pen, { theme, domain }: Model, { plot, x, y }: Layout): void {
  pen.font = fontOf(theme, 10);
  pen.fillStyle = theme.axisText;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  for (const f1 of ISO_F1) {
    const precision = precisionAt(f1, domain.x[1]);
    if (precision > domain.y[1]) continue;
    // The formula is symmetric in precision and recall.
    if (precision >= domain.y[0]) pen.fillText(`F1 ${f1}`, plot.right + 6, y.map(precision));
    else pen.fillText(`F1 ${f1}`, x.map(precisionAt(f1, domain.y[0])) + 4, plot.bottom - 8);
  }
}

function drawRun(
  pen: Pen,
  { mode }: Model,
  { color, dash, lines }: DrawnRun,
  layout: Layout,
  alpha: number,
): void {
  pen.globalAlpha = alpha;
  pen.strokeStyle = color;
  pen.fillStyle = color;
  pen.lineWidth = LINE_PX;
  pen.lineJoin = "round";
  for (const { part, x, y } of lines) {
    pen.setLineDash([...(mode === "threshold" ? PART_DASHES[part]! : dash)]);
    pen.beginPath();
    x.forEach((value, at) => {
      const [px, py] = [layout.x.map(value), layout.y.map(y[at]!)];
      if (at === 0) pen.moveTo(px, py);
      else pen.lineTo(px, py);
    });
    if (x.length > 1) pen.stroke();
    else {
      pen.arc(layout.x.map(x[0]!), layout.y.map(y[0]!), 3, 0, 2 * Math.PI);
      pen.fill();
    }
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}
