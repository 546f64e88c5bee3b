/** Exports a card of curves: title, plot, and a legend of runs. */

import { browserMeasure, toPngBlob } from "../../chart/canvas";
import { fontOf, type Pen } from "../../chart/pen";
import { SvgPen } from "../../chart/svg-pen";
import { compose, drawCurves, type Model, type Size } from "./draw";

export interface ExportLayout {
  model: Model;
  title: string;
  /** Texts beside the colour of each run. */
  names: readonly string[];
  /** The legend of dashes, if runs have several lines. */
  parts: readonly { dash: readonly number[]; name: string }[];
  size: Size;
}

const PLOT: Size = { width: 560, height: 420 };
/** Height of the title. */
const HEAD = 32;
const AXIS_ROW = 16;
const ROW = 18;
const EDGE = 12;
const SWATCH = 18;

export function picture(
  model: Model,
  title: string,
  names: readonly string[],
  parts: ExportLayout["parts"] = [],
): ExportLayout {
  const rows = names.length + (parts.length > 0 ? 1 : 0);
  const height = HEAD + AXIS_ROW + PLOT.height + rows * ROW + EDGE;
  return { model, title, names, parts, size: { width: PLOT.width, height } };
}

export function toSvg(layout: ExportLayout): string {
  const pen = new SvgPen(browserMeasure());
  drawExport(pen, layout, 1);
  return pen.toString(layout.size, layout.title);
}

const PIXEL_RATIO = 2;

export function toPng(layout: ExportLayout): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = layout.size.width * PIXEL_RATIO;
  canvas.height = layout.size.height * PIXEL_RATIO;
  const context = canvas.getContext("2d")!;
  context.scale(PIXEL_RATIO, PIXEL_RATIO);
  drawExport(context, layout, PIXEL_RATIO);
  return toPngBlob(canvas);
}

export function drawExport(
  pen: Pen,
  { model, title, names, parts, size }: ExportLayout,
  pixelRatio: number,
): void {
  const { theme } = model;
  pen.fillStyle = theme.surface;
  pen.fillRect(0, 0, size.width, size.height);
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.font = fontOf(theme, 14, 600);
  pen.fillStyle = theme.text;
  pen.fillText(title, EDGE, HEAD / 2 + 2);
  pen.font = fontOf(theme);
  pen.fillStyle = theme.axisText;
  pen.fillText(model.yName, EDGE, HEAD + AXIS_ROW / 2);
  pen.save();
  pen.translate(0, HEAD + AXIS_ROW);
  drawCurves(pen, { ...model, yName: "" }, compose(model, PLOT), pixelRatio);
  pen.restore();
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.font = fontOf(theme);
  const top = HEAD + AXIS_ROW + PLOT.height + ROW / 2;
  names.forEach((name, at) => {
    const { color, dash } = model.runs[at]!;
    drawEntry(pen, model, { x: EDGE, y: top + at * ROW, color, name, dash: parts.length > 0 ? [] : dash });
  });
  let x = EDGE;
  for (const { name, dash } of parts) {
    drawEntry(pen, model, { x, y: top + names.length * ROW, color: theme.text2, name, dash });
    x += SWATCH + 6 + pen.measureText(name).width + 20;
  }
  pen.setLineDash([]);
}

interface Entry {
  x: number;
  y: number;
  color: string;
  dash: readonly number[];
  name: string;
}

function drawEntry(pen: Pen, { theme }: Model, { x, y, color, dash, name }: Entry): void {
  pen.strokeStyle = color;
  pen.lineWidth = 2;
  pen.setLineDash([...dash]);
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x + SWATCH, y);
  pen.stroke();
  pen.fillStyle = theme.text2;
  pen.fillText(name, x + SWATCH + 6, y);
}
