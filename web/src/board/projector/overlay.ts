/** Draws over the points: rings, labels, thumbnails, the line being drawn. For canvas and SVG alike. */

import type { Pen } from "../../chart/pen";
import { LABEL_PX, type Tiles } from "./labels";

export interface OverlayTheme {
  text: string;
  paper: string;
  accent: string;
  /** A CSS font with its size. */
  font: string;
}

const RING_PX = 7;
const HALO_ALPHA = 0.82;

interface Point {
  row: number;
  x: number;
  y: number;
}

/** A ring around each; the first is stronger. */
export function drawMarks(pen: Pen, points: readonly Point[], theme: OverlayTheme): void {
  points.forEach(({ x, y }, at) => {
    for (const [width, color] of [
      [at === 0 ? 4 : 3, theme.paper],
      [at === 0 ? 2 : 1, theme.text],
    ] as const) {
      pen.beginPath();
      pen.arc(x, y, RING_PX - (at === 0 ? 0 : 1.5), 0, 2 * Math.PI);
      pen.lineWidth = width;
      pen.strokeStyle = color;
      pen.stroke();
    }
  });
}

export function drawTexts(
  pen: Pen,
  labels: readonly { text: string; left: number; middle: number }[],
  theme: OverlayTheme,
): void {
  pen.font = theme.font;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  for (const { text, left, middle } of labels) {
    pen.globalAlpha = HALO_ALPHA;
    pen.fillStyle = theme.paper;
    const width = pen.measureText(text).width;
    pen.fillRect(left, middle - LABEL_PX / 2, width + LABEL_PX / 2, LABEL_PX);
    pen.globalAlpha = 1;
    pen.fillStyle = theme.text;
    pen.fillText(text, left + LABEL_PX / 4, middle + 0.5);
  }
}

/** The picture of each point, around its place. */
export function drawTiles(
  pen: CanvasRenderingContext2D,
  points: readonly Point[],
  tiles: Tiles,
  side: number,
): void {
  const { image, width, height, across } = tiles;
  const scale = side / Math.max(width, height);
  const [wide, high] = [width * scale, height * scale];
  pen.imageSmoothingEnabled = scale < 1;
  for (const { row, x, y } of points) {
    const [column, line] = [row % across, Math.floor(row / across)];
    pen.drawImage(
      image,
      column * width,
      line * height,
      width,
      height,
      x - wide / 2,
      y - high / 2,
      wide,
      high,
    );
  }
}

export function drawOutline(pen: Pen, line: readonly number[], theme: OverlayTheme): void {
  pen.beginPath();
  for (let at = 0; at + 1 < line.length; at += 2) {
    if (at === 0) pen.moveTo(line[0]!, line[1]!);
    else pen.lineTo(line[at]!, line[at + 1]!);
  }
  pen.closePath();
  pen.globalAlpha = 0.12;
  pen.fillStyle = theme.accent;
  pen.fill();
  pen.globalAlpha = 1;
  pen.lineWidth = 1.5;
  pen.strokeStyle = theme.accent;
  pen.setLineDash([4, 3]);
  pen.stroke();
  pen.setLineDash([]);
}
