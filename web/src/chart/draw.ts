/**
 * Draws a picture: grid, lines, marks, axis text. A pure function of its arguments, on any context, so it
 * serves the page, an export and a test alike.
 */

import { thinColumns } from "./decimate";
import type { Line, Path } from "./line";
import { fontOf, type Pen, sharp } from "./pen";
import type { Picture } from "./picture";
import { clipSpan } from "./strand";

export interface DrawOptions {
  /** Device pixels per CSS pixel; the context is expected to be scaled by it. */
  pixelRatio: number;
  /** Run in front, the others dimmed; null for none, and no effect if the run is not in the picture. */
  highlighted: number | null;
}

const MANY_LINES = 20;
const GHOST_WIDTH = 1;
const HIGHLIGHT_WIDTH = 2.25;
/** Thin only what has this many points a column: below it, drawing all is as quick and simpler to trust. */
const DENSE = 3;
/** Pixels beyond which a canvas may lose precision; nobody sees that far. */
const FAR = 20_000;
const MARK_GAP = 7;

/** Returns how many real points the picture shows. */
export function drawPicture(pen: Pen, picture: Picture, options: DrawOptions): number {
  drawGrid(pen, picture, options.pixelRatio);
  pen.save();
  pen.beginPath();
  const { left, top, right, bottom } = picture.plot;
  pen.rect(left - 3, top - 3, right - left + 6, bottom - top + 6);
  pen.clip();
  const drawn = drawLines(pen, picture, options);
  pen.restore();
  drawNonFinite(pen, picture, options);
  drawNotes(pen, picture);
  drawAxisText(pen, picture);
  return drawn;
}

function drawGrid(pen: Pen, { plot, y, yTicks, theme }: Picture, pixelRatio: number): void {
  pen.lineWidth = 1;
  pen.setLineDash([]);
  for (const value of yTicks.values) {
    const at = sharp(y.map(value), pixelRatio);
    pen.strokeStyle = value === 0 ? theme.axis : theme.grid;
    pen.beginPath();
    pen.moveTo(plot.left, at);
    pen.lineTo(plot.right, at);
    pen.stroke();
  }
}

function drawLines(pen: Pen, picture: Picture, options: DrawOptions): number {
  const front = frontOf(picture, options);
  const width = picture.lines.length > MANY_LINES ? 1 : 1.5;
  const rest = front === null ? picture.lines : picture.lines.filter((line) => line !== front);
  const alpha = front === null ? 1 : picture.theme.dimAlpha;
  pen.lineJoin = "round";
  pen.lineCap = "butt";
  for (const line of rest) drawRestarts(pen, picture, line, alpha, options.pixelRatio);
  let drawn = 0;
  for (const line of rest) drawn += drawGhost(pen, picture, line, alpha, options);
  for (const line of rest) drawn += drawMain(pen, picture, line, alpha, width, options);
  if (front !== null) {
    drawRestarts(pen, picture, front, 1, options.pixelRatio);
    drawn += drawGhost(pen, picture, front, 1, options);
    drawn += drawMain(pen, picture, front, 1, HIGHLIGHT_WIDTH, options);
  }
  pen.globalAlpha = 1;
  pen.setLineDash([]);
  return drawn;
}

function frontOf(picture: Picture, { highlighted }: DrawOptions): Line | null {
  if (highlighted === null) return null;
  return picture.lines.find(({ series }) => series.run === highlighted) ?? null;
}

/** The raw points behind a smoothed line. Returns the points shown. */
function drawGhost(pen: Pen, picture: Picture, line: Line, alpha: number, options: DrawOptions): number {
  if (line.ghost === null) return 0;
  pen.globalAlpha = alpha * picture.theme.rawAlpha;
  pen.strokeStyle = line.series.color;
  pen.lineWidth = GHOST_WIDTH;
  pen.setLineDash([]);
  pen.beginPath();
  const { shown } = tracePath(pen, picture, line.ghost, options.pixelRatio);
  pen.stroke();
  return shown + countInView(line, picture);
}

/** Returns the real points shown: those of a smoothed line are not. */
function drawMain(
  pen: Pen,
  picture: Picture,
  line: Line,
  alpha: number,
  width: number,
  options: DrawOptions,
): number {
  const { color, dash, x } = line.series;
  pen.globalAlpha = alpha;
  pen.strokeStyle = color;
  pen.lineWidth = width;
  pen.setLineDash([...dash]);
  pen.beginPath();
  const { shown, dots } = tracePath(pen, picture, line.main, options.pixelRatio);
  pen.stroke();
  drawDots(pen, color, dots, x.length === 1 ? 3 : Math.max(1.5, width));
  return line.ghost === null ? shown + countInView(line, picture) : 0;
}

/** A point alone has no line: it is shown as a dot. */
function drawDots(pen: Pen, color: string, dots: readonly number[], radius: number): void {
  if (dots.length === 0) return;
  pen.fillStyle = color;
  for (let i = 0; i < dots.length; i += 2) {
    pen.beginPath();
    pen.arc(dots[i]!, dots[i + 1]!, radius, 0, 2 * Math.PI);
    pen.fill();
  }
}

/** Points that are marked rather than drawn: not finite, inside the range in view. */
function countInView({ nonFinite, series }: Line, { x }: Picture): number {
  let count = 0;
  for (const i of nonFinite) if (series.x[i]! >= x.domain[0] && series.x[i]! <= x.domain[1]) count++;
  return count;
}

interface Traced {
  /** Points of the path inside the range in view that the line passes through. */
  shown: number;
  /** Pixels x, y, x, y … of points that stand alone. */
  dots: number[];
}

function tracePath(pen: Pen, picture: Picture, path: Path, pixelRatio: number): Traced {
  const { strands, x } = path;
  const [min, max] = picture.x.domain;
  const dots: number[] = [];
  let shown = 0;
  for (let s = 0; s < strands.length; s += 2) {
    const start = strands[s]!;
    const end = strands[s + 1]!;
    const [from, to] = clipSpan(x, start, end, min, max, true);
    if (end - start > 1) {
      if (to - from > 1) shown += traceStrand(pen, picture, path, from, to, pixelRatio);
    } else if (x[start]! >= min && x[start]! <= max) {
      dots.push(picture.x.map(x[start]!), near(picture.y.map(path.y[start]!)));
      shown += 1;
    }
  }
  return { shown, dots };
}

let kept = new Uint32Array(4096);

/** One unbroken line through [from, to), thinned where it is denser than the pixels. */
function traceStrand(
  pen: Pen,
  { plot, x, y }: Picture,
  path: Path,
  from: number,
  to: number,
  pixelRatio: number,
): number {
  const columns = (plot.right - plot.left) * pixelRatio;
  const [min, max] = x.domain;
  const dense = to - from > DENSE * columns;
  if (dense && kept.length < to - from) kept = new Uint32Array(2 * (to - from));
  const n = dense ? thinColumns(path.x, path.y, from, to, min, columns / (max - min), kept) : to - from;
  const pick = (k: number) => (dense ? kept[k]! : from + k);
  let shown = 0;
  for (let k = 0; k < n; k++) {
    const i = pick(k);
    const value = path.x[i]!;
    if (value >= min && value <= max) shown++;
    let px = x.map(value);
    let py = y.map(path.y[i]!);
    if (px < -FAR || px > FAR) {
      const beside = pick(k === 0 ? 1 : k - 1);
      const bound = px < 0 ? -FAR : FAR;
      const px2 = x.map(path.x[beside]!);
      py += ((y.map(path.y[beside]!) - py) * (bound - px)) / (px2 - px);
      px = bound;
    }
    if (k === 0) pen.moveTo(px, near(py));
    else pen.lineTo(px, near(py));
  }
  return shown;
}

function near(pixel: number): number {
  return Math.max(-FAR, Math.min(FAR, pixel));
}

/** A thin dotted line where the run was started again. */
function drawRestarts(pen: Pen, { plot, x }: Picture, line: Line, alpha: number, pixelRatio: number): void {
  const { restarts, color } = line.series;
  if (restarts.length === 0) return;
  pen.globalAlpha = alpha * 0.6;
  pen.strokeStyle = color;
  pen.lineWidth = 1;
  pen.setLineDash([1, 3]);
  pen.beginPath();
  let last = Number.NEGATIVE_INFINITY;
  for (const restart of restarts) {
    const at = sharp(x.map(restart), pixelRatio);
    if (at < plot.left || at > plot.right || Math.abs(at - last) < 2) continue;
    pen.moveTo(at, plot.top);
    pen.lineTo(at, plot.bottom);
    last = at;
  }
  pen.stroke();
}

/** ▲ at the lower edge for NaN, ◆ at the upper or lower edge for an infinity, at their step. */
function drawNonFinite(pen: Pen, picture: Picture, options: DrawOptions): void {
  const front = frontOf(picture, options);
  const [min, max] = picture.x.domain;
  for (const line of picture.lines) {
    const { x, y, color } = line.series;
    const last = {
      nan: Number.NEGATIVE_INFINITY,
      up: Number.NEGATIVE_INFINITY,
      down: Number.NEGATIVE_INFINITY,
    };
    pen.globalAlpha = front === null || front === line ? 1 : picture.theme.dimAlpha;
    pen.fillStyle = color;
    for (const i of line.nonFinite) {
      if (x[i]! < min || x[i]! > max) continue;
      const value = y[i]!;
      const kind = Number.isNaN(value) ? "nan" : value > 0 ? "up" : "down";
      const at = picture.x.map(x[i]!);
      if (Math.abs(at - last[kind]) < MARK_GAP) continue;
      last[kind] = at;
      if (kind === "nan") fillTriangle(pen, at, picture.plot.bottom);
      else fillDiamond(pen, at, kind === "up" ? picture.plot.top : picture.plot.bottom);
    }
  }
  pen.globalAlpha = 1;
}

function fillTriangle(pen: Pen, x: number, bottom: number): void {
  pen.beginPath();
  pen.moveTo(x - 4, bottom + 1);
  pen.lineTo(x + 4, bottom + 1);
  pen.lineTo(x, bottom - 6);
  pen.closePath();
  pen.fill();
}

function fillDiamond(pen: Pen, x: number, y: number): void {
  pen.beginPath();
  pen.moveTo(x, y - 4);
  pen.lineTo(x + 4, y);
  pen.lineTo(x, y + 4);
  pen.lineTo(x - 4, y);
  pen.closePath();
  pen.fill();
}

/** "▲ 3 above": what the chosen range leaves out. Small, on paper of its own so that lines do not cross it. */
function drawNotes(pen: Pen, { notes, plot, theme }: Picture): void {
  pen.font = fontOf(theme, 10);
  pen.textBaseline = "middle";
  const lowest = plot.bottom - 7;
  if (notes.above !== null) drawNote(pen, theme, `▲ ${notes.above}`, plot.right, plot.top + 3, "right");
  if (notes.below !== null) drawNote(pen, theme, `▼ ${notes.below}`, plot.right, lowest, "right");
  if (notes.notPositive !== null) drawNote(pen, theme, notes.notPositive, plot.left + 2, lowest, "left");
}

function drawNote(
  pen: Pen,
  theme: Picture["theme"],
  text: string,
  at: number,
  y: number,
  align: "left" | "right",
): void {
  const width = pen.measureText(text).width;
  pen.globalAlpha = 0.85;
  pen.fillStyle = theme.surface;
  pen.fillRect(align === "right" ? at - width - 3 : at - 3, y - 7, width + 6, 14);
  pen.globalAlpha = 1;
  pen.fillStyle = theme.axisText;
  pen.textAlign = align;
  pen.fillText(text, at, y);
}

function drawAxisText(pen: Pen, { plot, size, x, y, xTicks, yTicks, theme }: Picture): void {
  pen.font = fontOf(theme);
  pen.fillStyle = theme.axisText;
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  yTicks.values.forEach((value, i) => {
    pen.fillText(yTicks.labels[i]!, plot.left - 8, y.map(value));
  });
  pen.textAlign = "left";
  xTicks.values.forEach((value, i) => {
    const label = xTicks.labels[i]!;
    const width = pen.measureText(label).width;
    const start = Math.min(x.map(value) - width / 2, size.width - 4 - width);
    pen.fillText(label, Math.max(2, start), plot.bottom + 13);
  });
}
