/** Exports of the whole picture with its legend, in light colours: SVG, or PNG with two pixels per unit. */

import { browserMeasure, toPngBlob } from "../../chart/canvas";
import type { ChartTheme } from "../../chart/model";
import { fontOf, type Pen } from "../../chart/pen";
import { SvgPen } from "../../chart/svg-pen";
import { fileName, saveFile } from "../../lib/download";
import { runExport } from "../cards/exports";
import { type DrawOptions, drawGraph } from "./draw";
import type { Picture } from "./geometry/picture";
import type { Size } from "./geometry/shapes";
import { drawLegend, entryWidth, type LegendLayout, layLegend, legendFont } from "./legend-drawing";
import type { LegendEntry } from "./legend-entries";

export interface GraphExport {
  picture: Picture;
  title: string;
  theme: ChartTheme;
  drawing: Omit<DrawOptions, "camera" | "view" | "theme">;
  /** In rows below the picture; empty for none. */
  legend: readonly LegendEntry[];
}

interface ExportLayout {
  size: Size;
  /** Where the picture begins; it is in the middle if the title or an entry of the legend is wider. */
  origin: { x: number; y: number };
  legend: LegendLayout;
}

/** Height of the title above the picture; the other sides have half of it. */
const TITLE_ROW = 32;
const MARGIN = TITLE_ROW / 2;
const RATIO = 2;
/** Browsers refuse larger canvases. */
const MOST_PX = 12_000;

export function exportGraph(what: GraphExport, format: "svg" | "png"): Promise<void> {
  const name = `${fileName(what.title)}.${format}`;
  return runExport(name, async () => {
    if (format === "svg") saveFile(svgOf(what), name, "image/svg+xml");
    else saveFile(await pngOf(what), name);
  });
}

export function layoutOf({ picture, title, theme, legend }: GraphExport): ExportLayout {
  const measure = browserMeasure();
  const widthOf = (text: string) => measure(text, legendFont(theme));
  const widest = Math.max(0, ...legend.map((entry) => entryWidth(entry, widthOf)));
  const width = Math.ceil(Math.max(picture.size.width, measure(title, titleFont(theme)), widest));
  const laid = layLegend(legend, width, widthOf);
  const below = laid.height > 0 ? laid.height + MARGIN / 2 : 0;
  return {
    size: { width: width + 2 * MARGIN, height: picture.size.height + TITLE_ROW + below + MARGIN },
    origin: { x: MARGIN + (width - picture.size.width) / 2, y: TITLE_ROW },
    legend: laid,
  };
}

function titleFont(theme: ChartTheme): string {
  return fontOf(theme, 14, 600);
}

export function svgOf(what: GraphExport): string {
  const pen = new SvgPen(browserMeasure());
  const layout = layoutOf(what);
  drawExport(pen, what, layout);
  return pen.toString(layout.size, what.title);
}

async function pngOf(what: GraphExport): Promise<Blob> {
  const layout = layoutOf(what);
  const { size } = layout;
  const ratio = Math.min(RATIO, MOST_PX / size.width, MOST_PX / size.height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(size.width * ratio);
  canvas.height = Math.ceil(size.height * ratio);
  const pen = canvas.getContext("2d")!;
  pen.scale(ratio, ratio);
  drawExport(pen, what, layout);
  return toPngBlob(canvas);
}

export function drawExport(pen: Pen, what: GraphExport, { size, origin, legend }: ExportLayout): void {
  const { picture, title, theme, drawing } = what;
  pen.fillStyle = theme.surface;
  pen.fillRect(0, 0, size.width, size.height);
  pen.font = titleFont(theme);
  pen.fillStyle = theme.text;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillText(title, MARGIN, TITLE_ROW / 2 + 4);
  pen.save();
  pen.translate(origin.x, origin.y);
  const camera = { x: picture.size.width / 2, y: picture.size.height / 2, scale: 1 };
  drawGraph(pen, picture, { ...drawing, theme, camera, view: picture.size });
  pen.restore();
  pen.save();
  pen.translate(MARGIN, origin.y + picture.size.height + MARGIN / 2);
  pen.globalAlpha = 1;
  drawLegend(pen, legend, theme);
  pen.restore();
}
