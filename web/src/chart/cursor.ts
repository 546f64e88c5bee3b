/** Draws the overlay of a chart: cross-hair, points under it, pinned step, and the box being dragged. */

import { formatClock } from "../lib/clock";
import { formatDuration } from "../lib/duration";
import { formatStep, formatValue } from "../lib/number";
import { drawMarks, drawRule, type HandleMarks } from "./handles";
import { nearestX, type PointerTarget, pointFor } from "./hit-test";
import type { Axis } from "./model";
import { fontOf, type Pen } from "./pen";
import type { Box, Picture } from "./picture";

export interface Overlay extends HandleMarks {
  cursor: number | null;
  /** The pointer is over this chart. */
  own: boolean;
  /** The box being dragged, in pixels; a band has the full height. */
  box: Box | null;
  hint: string | null;
  highlighted: number | null;
  /** The point under the pointer. */
  target: PointerTarget | null;
  axis: Axis;
}

/** Points further from the cross-hair than this are at another step and not marked. */
const DOT_REACH = 12;
/** In a downsampled series, a point this near may stand for the requested one. */
const COLUMN_REACH = 2;

export function drawOverlay(pen: Pen, picture: Picture, overlay: Overlay, pixelRatio: number): void {
  if (picture.strip !== null) return;
  drawPins(pen, picture, overlay, pixelRatio);
  if (overlay.cursor !== null && overlay.box === null) drawCursor(pen, picture, overlay, pixelRatio);
  if (overlay.box !== null) drawBox(pen, picture, overlay.box);
  if (overlay.hint !== null) drawHint(pen, picture, overlay.hint);
  pen.globalAlpha = 1;
}

/** Whether there is nothing to draw, so that the canvas can be removed. */
export function isBlank({ cursor, pinned, range, box, hint }: Overlay): boolean {
  return cursor === null && pinned === null && range === null && box === null && hint === null;
}

function drawCursor(pen: Pen, picture: Picture, overlay: Overlay, pixelRatio: number): void {
  const x = overlay.cursor!;
  const { theme } = picture;
  if (!drawRule(pen, picture, x, theme.cursor, overlay.own ? [4, 3] : [1, 3], pixelRatio)) return;
  if (overlay.own) drawPoints(pen, picture, x, overlay);
  else drawNearLabel(pen, picture, x, overlay.axis, theme.axisText);
}

/** Draws the pin and the range; if the pointer is over this chart, their grips show their positions. */
function drawPins(pen: Pen, picture: Picture, overlay: Overlay, pixelRatio: number): void {
  const { axis, own, pinned, range } = overlay;
  drawMarks(pen, picture, overlay, axis, pixelRatio, own ? flagText : null);
  if (pinned !== null && range === null && inView(picture, pinned)) {
    drawNearLabel(pen, picture, pinned, axis, picture.theme.accent);
  }
}

function inView({ x, plot }: Picture, value: number): boolean {
  const at = x.map(value);
  return at >= plot.left - 1 && at <= plot.right + 1;
}

/** With more lines than this the points would cover each other: only the one of the front line is drawn. */
const MAX_POINTS = 60;

/** The points that the tooltip lists, each with an outline in the background color. */
function drawPoints(pen: Pen, picture: Picture, x: number, { highlighted, target }: Overlay): void {
  const { plot, theme } = picture;
  const crowded = picture.lines.length > MAX_POINTS;
  const lines = crowded
    ? picture.lines.filter((line) => line.series.run === highlighted || line === target?.line)
    : picture.lines;
  const at = picture.x.map(x);
  const small = lines.length > 20 ? 2 : 2.75;
  const dimmed = lines.some(({ series }) => series.run === highlighted);
  for (const line of [...lines].sort(
    (a, b) => Number(a.series.run === highlighted) - Number(b.series.run === highlighted),
  )) {
    const i = pointFor(line, x, target);
    if (i < 0) continue;
    const px = picture.x.map(line.series.x[i]!);
    const py = picture.y.map(line.main.x === line.series.x ? line.main.y[i]! : line.series.y[i]!);
    if (Math.abs(px - at) > DOT_REACH || !(py >= plot.top - 4 && py <= plot.bottom + 4)) continue;
    const front = line.series.run === highlighted;
    drawPoint(pen, px, py, front ? 4 : small, line.series.color, theme.surface, dimmed && !front ? 0.6 : 1);
  }
}

function drawPoint(
  pen: Pen,
  x: number,
  y: number,
  radius: number,
  color: string,
  rim: string,
  alpha: number,
): void {
  pen.globalAlpha = 1;
  pen.fillStyle = rim;
  pen.beginPath();
  pen.arc(x, y, radius + 1.25, 0, 2 * Math.PI);
  pen.fill();
  pen.globalAlpha = alpha;
  pen.fillStyle = color;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

/** "≈ 9 950" if this chart has no point at the shared step, unless only downsampling left it out. */
function drawNearLabel(pen: Pen, picture: Picture, x: number, axis: Axis, color: string): void {
  const nearest = nearestX(picture, x);
  if (nearest === null || nearest === x) return;
  const { plot, theme, lines } = picture;
  const at = picture.x.map(x);
  const thinned = lines.some(({ series }) => !series.raw);
  if (thinned && Math.abs(picture.x.map(nearest) - at) < COLUMN_REACH) return;
  const text = `≈ ${formatX(nearest, axis)}`;
  pen.font = fontOf(theme, 10);
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  const width = pen.measureText(text).width;
  const left = at + width + 10 > plot.right ? at - width - 6 : at + 6;
  pen.globalAlpha = 0.9;
  pen.fillStyle = theme.surface;
  pen.fillRect(left - 2, plot.top - 4, width + 4, 14);
  pen.globalAlpha = 1;
  pen.fillStyle = color;
  pen.fillText(text, left, plot.top + 3);
}

/** Formats a value of x for its axis. */
export function formatX(x: number, axis: Axis): string {
  if (axis === "step") return formatStep(x);
  if (axis === "tag") return formatValue(x);
  return axis === "relative" ? formatDuration(x) : formatClock(x);
}

/** The short form: two of them are shown below a narrow chart, and the year of times is the same. */
export function flagText(x: number, axis: Axis): string {
  const text = formatX(x, axis);
  return axis === "wall" ? text.replace(/^\d+-/, "") : text;
}

function drawBox(pen: Pen, { plot, theme }: Picture, box: Box): void {
  const left = Math.max(plot.left, Math.min(box.left, box.right));
  const right = Math.min(plot.right, Math.max(box.left, box.right));
  const top = Math.max(plot.top, Math.min(box.top, box.bottom));
  const bottom = Math.min(plot.bottom, Math.max(box.top, box.bottom));
  pen.globalAlpha = 0.12;
  pen.fillStyle = theme.accent;
  pen.fillRect(left, top, right - left, bottom - top);
  pen.globalAlpha = 1;
  pen.strokeStyle = theme.accent;
  pen.lineWidth = 1;
  pen.setLineDash([]);
  pen.beginPath();
  pen.rect(left + 0.5, top + 0.5, Math.max(0, right - left - 1), Math.max(0, bottom - top - 1));
  pen.stroke();
}

function drawHint(pen: Pen, { plot, theme }: Picture, hint: string): void {
  const x = (plot.left + plot.right) / 2;
  const y = (plot.top + plot.bottom) / 2;
  pen.font = fontOf(theme, 12, 500);
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const width = pen.measureText(hint).width + 24;
  pen.globalAlpha = 0.92;
  pen.fillStyle = theme.surface;
  pen.fillRect(x - width / 2, y - 14, width, 28);
  pen.globalAlpha = 1;
  pen.fillStyle = theme.text2;
  pen.fillText(hint, x, y);
}
