/** A chart as an image to take away: drawn by the same code on paper, with title and legend. */

import { drawPicture } from "./draw";
import type { Line } from "./line";
import { LineCache } from "./line";
import type { ChartModel, ChartTheme } from "./model";
import { fontOf, type Pen } from "./pen";
import { composePicture, type Size } from "./picture";

export interface ExportOptions {
  title?: string;
  /** CSS pixels of the plot; the legend adds to the height. */
  size: Size;
  /** Image pixels per CSS pixel. */
  pixelRatio?: number;
  /** Other colours than those on screen, for example the light theme. */
  theme?: ChartTheme;
}

const TITLE_HEIGHT = 30;
const LEGEND_ROW = 18;
const SWATCH = 18;
const EDGE = 12;

/** Draws a model to a PNG. */
export async function exportImage(model: ChartModel, options: ExportOptions): Promise<Blob> {
  const ratio = options.pixelRatio ?? 2;
  const theme = options.theme ?? model.theme;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d")!;
  context.font = fontOf(theme);
  const { width } = options.size;
  const top = options.title === undefined ? 0 : TITLE_HEIGHT;
  const measure = (text: string) => context.measureText(text).width;
  const picture = composePicture({ ...model, theme }, options.size, new LineCache(), measure);
  const entries = placeLegend(picture.lines, width, measure);
  const rows = entries.length === 0 ? 0 : entries.at(-1)!.row + 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round((top + options.size.height + rows * LEGEND_ROW + (rows > 0 ? EDGE : 0)) * ratio);
  context.scale(ratio, ratio);
  context.fillStyle = theme.surface;
  context.fillRect(0, 0, width, canvas.height / ratio);
  if (options.title !== undefined) drawTitle(context, theme, options.title);
  context.translate(0, top);
  drawPicture(context, picture, { pixelRatio: ratio, highlighted: model.highlighted });
  context.translate(0, options.size.height + 4);
  drawLegend(context, theme, entries);
  return toBlob(canvas);
}

interface Entry {
  line: Line;
  x: number;
  row: number;
}

/** Entries from left to right, in as many rows as they need. */
function placeLegend(lines: readonly Line[], width: number, measure: (text: string) => number): Entry[] {
  const entries: Entry[] = [];
  let x = EDGE;
  let row = 0;
  for (const line of lines) {
    const needed = SWATCH + 6 + measure(line.series.label) + 16;
    if (x > EDGE && x + needed > width - EDGE) {
      x = EDGE;
      row += 1;
    }
    entries.push({ line, x, row });
    x += needed;
  }
  return entries;
}

function drawTitle(pen: Pen, theme: ChartTheme, title: string): void {
  pen.font = fontOf(theme, 13, 600);
  pen.fillStyle = theme.text;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillText(title, EDGE, TITLE_HEIGHT / 2);
}

function drawLegend(pen: Pen, theme: ChartTheme, entries: readonly Entry[]): void {
  pen.font = fontOf(theme);
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.lineWidth = 2;
  for (const { line, x, row } of entries) {
    const y = row * LEGEND_ROW + LEGEND_ROW / 2;
    pen.strokeStyle = line.series.color;
    pen.setLineDash([...line.series.dash]);
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x + SWATCH, y);
    pen.stroke();
    pen.fillStyle = theme.text2;
    pen.fillText(line.series.label, x + SWATCH + 6, y);
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
