/**
 * Exports a chart as PNG or SVG with the drawing code of the screen, on a light background, with title, line names
 * and axis names.
 */

import { cutInMiddle } from "../lib/short-names";
import { browserMeasure, type MeasureText, measureWith, toPngBlob } from "./canvas";
import { composePicture } from "./compose";
import { type DrawOptions, drawPicture } from "./draw";
import { labelsFit } from "./labels";
import { type Line, LineCache } from "./line";
import type { ChartModel, ChartTheme } from "./model";
import { fontOf, type Pen } from "./pen";
import type { Picture, Size } from "./picture";
import { SvgPen } from "./svg-pen";

export interface ExportOptions {
  title?: string;
  /** A line below the title: what else is needed to read the chart. */
  subtitle?: string;
  xName?: string;
  yName?: string;
  /** CSS pixels of the chart; title, axis names and legend add to the height. */
  size: Size;
  /** For PNG: image pixels per CSS pixel. */
  pixelRatio?: number;
  /** Colours other than those on screen, for example of the light theme. */
  theme?: ChartTheme;
}

const TITLE_ROW = 22;
const SUBTITLE_ROW = 17;
const AXIS_ROW = 16;
const LEGEND_ROW = 18;
const SWATCH = 18;
const EDGE = 12;

/** The layout of an export. */
interface ExportLayout {
  options: ExportOptions;
  theme: ChartTheme;
  picture: Picture;
  entries: Entry[];
  /** Top of the chart and of the legend. */
  top: number;
  legendTop: number;
  size: Size;
}

/** Draws a model to a PNG. */
export async function exportImage(model: ChartModel, options: ExportOptions): Promise<Blob> {
  const ratio = options.pixelRatio ?? 2;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d")!;
  const layout = layOut(model, options, measureWith(context));
  canvas.width = Math.round(layout.size.width * ratio);
  canvas.height = Math.round(layout.size.height * ratio);
  context.scale(ratio, ratio);
  drawExport(context, layout, { pixelRatio: ratio, highlighted: null });
  return toPngBlob(canvas);
}

/** Writes a model as the text of an SVG file. */
export function exportSvg(model: ChartModel, options: ExportOptions, measure = browserMeasure()): string {
  const layout = layOut(model, options, measure);
  const pen = new SvgPen(measure);
  drawExport(pen, layout, { pixelRatio: 1, highlighted: null, exact: true });
  return pen.toString(layout.size, options.title ?? "");
}

/**
 * Few lines are named at their ends; if there are more, or no room, there is a legend. A strip names its rows itself.
 */
function layOut(model: ChartModel, options: ExportOptions, measureFont: MeasureText): ExportLayout {
  const theme = options.theme ?? model.theme;
  const axisFont = fontOf(theme);
  const measure = (text: string) => measureFont(text, axisFont);
  const names = model.series.map(({ label }) => label);
  const labels = names.length > 1 && labelsFit(names, options.size.width, measure);
  const picture = composePicture({ ...model, theme, labels }, options.size, new LineCache(), measure);
  const needsLegend = !labels && picture.lines.length > 0 && !picture.strip?.named;
  const { width, height } = options.size;
  const entries = needsLegend ? placeLegend(picture.lines, width, measure) : [];
  const rows = entries.length === 0 ? 0 : entries.at(-1)!.row + 1;
  const heads = (options.title ? TITLE_ROW : 0) + (options.subtitle ? SUBTITLE_ROW : 0);
  const top = (heads > 0 ? heads + 8 : 0) + (options.yName ? AXIS_ROW : 0);
  const legendTop = top + height + (options.xName ? AXIS_ROW : 0) + 4;
  const bottom = legendTop + rows * LEGEND_ROW + (rows > 0 ? EDGE : 4);
  return { options, theme, picture, entries, top, legendTop, size: { width, height: bottom } };
}

function drawExport(pen: Pen, layout: ExportLayout, how: DrawOptions): void {
  const { options, theme, picture, top, size } = layout;
  pen.fillStyle = theme.surface;
  pen.fillRect(0, 0, size.width, size.height);
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  let row = 4;
  if (options.title) {
    write(pen, options.title, EDGE, row + TITLE_ROW / 2, fontOf(theme, 14, 600), theme.text);
    row += TITLE_ROW;
  }
  if (options.subtitle)
    write(pen, options.subtitle, EDGE, row + SUBTITLE_ROW / 2, fontOf(theme), theme.text2);
  drawAxisNames(pen, layout);
  pen.save();
  pen.translate(0, top);
  drawPicture(pen, picture, how);
  pen.restore();
  pen.translate(0, layout.legendTop);
  drawLegend(pen, theme, layout.entries);
}

function write(pen: Pen, text: string, x: number, y: number, font: string, color: string): void {
  pen.font = font;
  pen.fillStyle = color;
  pen.fillText(text, x, y);
}

/**
 * The name of y is above its axis, where it reads horizontally, the name of x below its axis. In a strip the values
 * are on x.
 */
function drawAxisNames(pen: Pen, { options, theme, picture, top }: ExportLayout): void {
  const { plot, strip, size } = picture;
  const below = strip === null ? options.xName : options.yName;
  const font = fontOf(theme);
  if (strip === null && options.yName) {
    write(pen, options.yName, EDGE, top - AXIS_ROW / 2 + 1, font, theme.axisText);
  }
  if (!below || !options.xName) return;
  pen.textAlign = "center";
  write(pen, below, (plot.left + plot.right) / 2, top + size.height + AXIS_ROW / 2 - 1, font, theme.axisText);
  pen.textAlign = "left";
}

interface Entry {
  line: Line;
  /** The name, shortened if it does not fit into a row of its own. */
  text: string;
  x: number;
  row: number;
}

/** Places entries from left to right in as many rows as needed. */
function placeLegend(lines: readonly Line[], width: number, measure: (text: string) => number): Entry[] {
  const entries: Entry[] = [];
  let x = EDGE;
  let row = 0;
  for (const line of lines) {
    const most = width - 2 * EDGE - SWATCH - 6;
    const text = cutInMiddle(line.series.label, (each) => measure(each) <= most);
    const needed = SWATCH + 6 + measure(text) + 16;
    if (x > EDGE && x + needed > width - EDGE) {
      x = EDGE;
      row += 1;
    }
    entries.push({ line, text, x, row });
    x += needed;
  }
  return entries;
}

function drawLegend(pen: Pen, theme: ChartTheme, entries: readonly Entry[]): void {
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.lineWidth = 2;
  for (const { line, text, x, row } of entries) {
    const y = row * LEGEND_ROW + LEGEND_ROW / 2;
    pen.strokeStyle = line.series.color;
    pen.setLineDash([...line.series.dash]);
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x + SWATCH, y);
    pen.stroke();
    write(pen, text, x + SWATCH + 6, y, fontOf(theme), theme.text2);
  }
  pen.setLineDash([]);
}
