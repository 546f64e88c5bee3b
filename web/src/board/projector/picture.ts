/** Exports the points as a picture with title and legend: the same code for SVG and PNG. */

import type { Pen } from "../../chart/pen";
import { SvgPen } from "../../chart/svg-pen";
import type { Coloring, Legend } from "./coloring";
import { drawTexts, type OverlayTheme } from "./overlay";
import type { ShownPoints } from "./renderer-messages";
import { BACK, CHOSEN, farFirst, HIDDEN, mix, PLAIN } from "./splat";
import { radiusFor } from "./stamps";

export interface Picture {
  title: string;
  legendTitle: string;
  width: number;
  height: number;
  points: ShownPoints;
  solid: boolean;
  coloring: Coloring;
  labels: readonly { text: string; left: number; middle: number }[];
  theme: OverlayTheme;
}

/** Above this number shapes would make the file too large: the points are embedded as an image. */
export const MAX_SHAPES = 20_000;
export const TITLE_PX = 28;
const LEGEND_PX = 176;
const ROW_PX = 18;
const BACK_PART = 0.22;
const MAX_LETTERS = 24;

export function sizeOf({ width, height, coloring }: Picture): { width: number; height: number } {
  return { width: width + (coloring.legend === null ? 0 : LEGEND_PX), height: height + TITLE_PX };
}

/** `image` replaces too many points, as a data URL. */
export function svgOf(
  picture: Picture,
  measure: (text: string, font: string) => number,
  image: string | null,
): string {
  const pen = new SvgPen(measure);
  const size = sizeOf(picture);
  drawPicture(pen, picture, image === null);
  const { width, height, theme } = picture;
  const under = [
    `<rect width="${size.width}" height="${size.height}" fill="${theme.paper}"/>`,
    image === null ? "" : `<image y="${TITLE_PX}" width="${width}" height="${height}" href="${image}"/>`,
  ];
  return pen
    .toString(size, picture.title)
    .replace("</title>\n", () => `</title>\n${under.filter(Boolean).join("\n")}\n`);
}

/** Draws everything except the background; `points` as shapes if requested. */
export function drawPicture(pen: Pen, picture: Picture, withPoints: boolean): void {
  const { theme, title, width } = picture;
  pen.save();
  pen.translate(0, TITLE_PX);
  if (withPoints) drawPoints(pen, picture);
  drawTexts(pen, picture.labels, theme);
  pen.restore();
  pen.font = theme.font.replace(/^\d+/, "600");
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillStyle = theme.text;
  pen.fillText(title, 10, TITLE_PX / 2);
  if (picture.coloring.legend) drawLegend(pen, picture.coloring.legend, picture, width + 10);
}

function drawPoints(pen: Pen, { points, coloring, solid, width, height }: Picture): void {
  const { x, y, far, codes, states } = points;
  const { palette } = coloring;
  const radius = radiusFor(x.length);
  const rows = solid ? farFirst(far) : Uint32Array.from(x, (_, row) => row);
  for (const state of [BACK, PLAIN, CHOSEN]) {
    for (const row of rows) {
      const [left, top] = [x[row]!, y[row]!];
      const inside = left > -radius && top > -radius && left < width + radius && top < height + radius;
      if (states[row] !== state || states[row] === HIDDEN || !inside) continue;
      const color = palette.colors[codes[row]!] ?? 0;
      const size = radius * (solid ? 1.35 - 0.6 * far[row]! : 1) * (state === CHOSEN ? 1.35 : 1);
      drawShape(
        pen,
        palette.shapes[codes[row]!] ?? 0,
        left,
        top,
        size,
        hex(state === BACK ? mix(palette.paper, color, BACK_PART) : color),
      );
    }
  }
}

/** Disc, ring, square or diamond. */
function drawShape(pen: Pen, shape: number, x: number, y: number, size: number, color: string): void {
  pen.beginPath();
  if (shape === 1) {
    pen.arc(x, y, size * 0.78, 0, 2 * Math.PI);
    pen.lineWidth = size * 0.45;
    pen.strokeStyle = color;
    pen.stroke();
    return;
  }
  if (shape === 2) pen.rect(x - size * 0.88, y - size * 0.88, size * 1.76, size * 1.76);
  else if (shape === 3) {
    pen.moveTo(x, y - size * 1.25);
    pen.lineTo(x + size * 1.25, y);
    pen.lineTo(x, y + size * 1.25);
    pen.lineTo(x - size * 1.25, y);
    pen.closePath();
  } else pen.arc(x, y, size, 0, 2 * Math.PI);
  pen.fillStyle = color;
  pen.fill();
}

function drawLegend(
  pen: Pen,
  legend: Legend,
  { legendTitle, theme, height, coloring }: Picture,
  left: number,
): void {
  pen.font = theme.font;
  pen.fillStyle = theme.text;
  pen.fillText(cut(legendTitle), left, TITLE_PX / 2);
  if (legend.kind === "ramp") {
    drawRamp(pen, legend, coloring, theme, left);
    return;
  }
  const most = Math.max(1, Math.floor(height / ROW_PX) - 1);
  legend.items.slice(0, most).forEach(({ label, color, shape, count }, at) => {
    const middle = TITLE_PX + ROW_PX * (at + 0.5);
    drawShape(pen, shape, left + 5, middle, 4, color);
    pen.fillStyle = theme.text;
    pen.fillText(`${cut(label)} ${count}`, left + 16, middle);
  });
}

function drawRamp(
  pen: Pen,
  { from, to }: { from: number; to: number },
  { palette }: Coloring,
  theme: OverlayTheme,
  left: number,
): void {
  const steps = palette.colors.length - 1;
  const wide = (LEGEND_PX - 24) / steps;
  for (let step = 0; step < steps; step++) {
    pen.fillStyle = hex(palette.colors[step]!);
    pen.fillRect(left + step * wide, TITLE_PX, wide + 0.5, 12);
  }
  pen.fillStyle = theme.text;
  pen.fillText(String(Number(from.toPrecision(4))), left, TITLE_PX + 22);
  pen.textAlign = "right";
  pen.fillText(String(Number(to.toPrecision(4))), left + LEGEND_PX - 24, TITLE_PX + 22);
  pen.textAlign = "left";
}

function cut(text: string): string {
  const letters = [...text];
  return letters.length > MAX_LETTERS ? `${letters.slice(0, MAX_LETTERS - 1).join("")}…` : text;
}

function hex(color: number): string {
  return `#${color.toString(16).padStart(6, "0")}`;
}
