/**
 * A chart to take away, as PNG or SVG: drawn by the same code as on the screen, on paper, with title, names of the
 * lines and of both axes.
 */

import { cutInMiddle } from "../base/short-names";
import { type DrawOptions, drawPicture } from "./draw";
import { labelsFit } from "./labels";
import type { Line } from "./line";
import { LineCache } from "./line";
import type { ChartModel, ChartTheme } from "./model";
import { fontOf, type Pen } from "./pen";
import { composePicture, type Picture, type Size } from "./picture";
import { SvgPen } from "./svgpen";

export interface ExportOptions {
  title?: string;
  /** A line below the title: what else one has to know to read the chart. */
  subtitle?: string;
  xName?: string;
  yName?: string;
  /** CSS pixels of the chart; title, axis names and legend add to the height. */
  size: Size;
  /** Of a PNG: image pixels per CSS pixel. */
  pixelRatio?: number;
  /** Other colours than those on screen, for example the light theme. */
  theme?: ChartTheme;
}

const TITLE_ROW = 22;
const SUBTITLE_ROW = 17;
const AXIS_ROW = 16;
const LEGEND_ROW = 18;
const SWATCH = 18;
const EDGE = 12;

/** All that a sheet shows, and where. */
interface Sheet {
  options: ExportOptions;
  theme: ChartTheme;
  picture: Picture;
  entries: Entry[];
  /** Where the chart begins, and where the legend does. */
  top: number;
  legendTop: number;
  size: Size;
}

/** Draws a model to a PNG. */
export async function exportImage(model: ChartModel, options: ExportOptions): Promise<Blob> {
  const ratio = options.pixelRatio ?? 2;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d")!;
  const sheet = layOut(model, options, canvasMeasure(context));
  canvas.width = Math.round(sheet.size.width * ratio);
  canvas.height = Math.round(sheet.size.height * ratio);
  context.scale(ratio, ratio);
  drawSheet(context, sheet, { pixelRatio: ratio, highlighted: null });
  return toBlob(canvas);
}

/** Writes a model as the text of an SVG file. */
export function exportSvg(model: ChartModel, options: ExportOptions, measure = browserMeasure()): string {
  const sheet = layOut(model, options, measure);
  const pen = new SvgPen(measure);
  drawSheet(pen, sheet, { pixelRatio: 1, highlighted: null, plain: true });
  return pen.toString(sheet.size, options.title ?? "");
}

type Measure = (text: string, font: string) => number;

function browserMeasure(): Measure {
  return canvasMeasure(document.createElement("canvas").getContext("2d")!);
}

function canvasMeasure(context: CanvasRenderingContext2D): Measure {
  return (text, font) => {
    context.font = font;
    return context.measureText(text).width;
  };
}

/** Names stand at the ends of few lines; more, and such as have no room there, have a legend. A strip names its rows itself. */
function layOut(model: ChartModel, options: ExportOptions, measureFont: Measure): Sheet {
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

function drawSheet(pen: Pen, sheet: Sheet, how: DrawOptions): void {
  const { options, theme, picture, top, size } = sheet;
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
  drawAxisNames(pen, sheet);
  pen.save();
  pen.translate(0, top);
  drawPicture(pen, picture, how);
  pen.restore();
  pen.translate(0, sheet.legendTop);
  drawLegend(pen, theme, sheet.entries);
}

function write(pen: Pen, text: string, x: number, y: number, font: string, color: string): void {
  pen.font = font;
  pen.fillStyle = color;
  pen.fillText(text, x, y);
}

/** y above its axis, where it reads without turning one's head; x below its own. In a strip values lie on x. */
function drawAxisNames(pen: Pen, { options, theme, picture, top }: Sheet): void {
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
  /** The name, cut where not even a row of its own has room for it. */
  text: string;
  x: number;
  row: number;
}

/** Entries from left to right, in as many rows as they need. */
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

function toBlob(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error("the image is too large")) : resolve(blob)),
      "image/png",
    );
  });
}
