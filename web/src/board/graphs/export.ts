/** Exports of the whole picture, in light colours: SVG, or PNG with two pixels per unit. */

import { browserMeasure, toPngBlob } from "../../chart/canvas";
import type { ChartTheme } from "../../chart/model";
import { fontOf, type Pen } from "../../chart/pen";
import { SvgPen } from "../../chart/svg-pen";
import { fileName, saveFile } from "../../lib/download";
import { runExport } from "../cards/exports";
import { type DrawOptions, drawGraph } from "./draw";
import type { Picture } from "./geometry/picture";
import type { Size } from "./geometry/shapes";

export interface GraphExport {
  picture: Picture;
  title: string;
  theme: ChartTheme;
  drawing: Omit<DrawOptions, "camera" | "view" | "theme">;
}

/** Height of the title above the picture; the other sides have half of it. */
export const TITLE_ROW = 32;
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

export function sizeOf({ picture }: Pick<GraphExport, "picture">): Size {
  return { width: picture.size.width + 2 * MARGIN, height: picture.size.height + TITLE_ROW + MARGIN };
}

export function svgOf(what: GraphExport): string {
  const pen = new SvgPen(browserMeasure());
  drawExport(pen, what);
  return pen.toString(sizeOf(what), what.title);
}

async function pngOf(what: GraphExport): Promise<Blob> {
  const size = sizeOf(what);
  const ratio = Math.min(RATIO, MOST_PX / size.width, MOST_PX / size.height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(size.width * ratio);
  canvas.height = Math.ceil(size.height * ratio);
  const pen = canvas.getContext("2d")!;
  pen.scale(ratio, ratio);
  drawExport(pen, what);
  return toPngBlob(canvas);
}

export function drawExport(pen: Pen, what: GraphExport): void {
  const { picture, title, theme, drawing } = what;
  const size = sizeOf(what);
  pen.fillStyle = theme.surface;
  pen.fillRect(0, 0, size.width, size.height);
  pen.font = fontOf(theme, 14, 600);
  pen.fillStyle = theme.text;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillText(title, MARGIN, TITLE_ROW / 2 + 4);
  pen.save();
  pen.translate(MARGIN, TITLE_ROW);
  const camera = { x: picture.size.width / 2, y: picture.size.height / 2, scale: 1 };
  drawGraph(pen, picture, { ...drawing, theme, camera, view: picture.size });
  pen.restore();
}
