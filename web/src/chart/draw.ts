/**
 * Draws a picture: grid, lines, marks, axis labels. A pure function of its arguments that works with any context: for
 * the page, exports and tests.
 */

import { drawBand } from "./band";
import type { Range } from "./domain";
import { drawLabels } from "./labels";
import { clipSegment, type Line, type Path } from "./line";
import type { ChartStats } from "./model";
import { fontOf, type Pen, sharp } from "./pen";
import { type Picture, type Side, tickLabelStart } from "./picture";
import { Polyline, tracePath } from "./polyline";
import { drawStrip } from "./strip";
import { strokePolyline } from "./stroke";

export interface DrawOptions {
  /** Device pixels per CSS pixel; the context is expected to be scaled by it. */
  pixelRatio: number;
  /** The highlighted run, the others are dimmed; null for none. No effect if the run is not in the picture. */
  highlighted: number | null;
  /** Draw each line as one stroke, without optimizations. */
  exact?: boolean;
}

const MANY_LINES = 20;
const GHOST_WIDTH = 1;
const PARTIAL_ALPHA = 0.6;
const PARTIAL_DASH = [2, 3];
const HIGHLIGHT_WIDTH = 2.25;
/** Above this number of points lines are drawn the fast way; below it drawing is fast anyway. */
const CROWDED = 1500;
const MARK_GAP = 7;
const CARET_GAP = 5;

/** Reused for every line, to avoid garbage. */
const polyline = new Polyline();

export interface DrawStats {
  /** Real points in the picture. */
  points: number;
  /** Corners of all stroked lines, which determine the cost of rasterizing. */
  corners: number;
}

export function drawPicture(pen: Pen, picture: Picture, options: DrawOptions): DrawStats {
  const steps = drawIncrementally(pen, picture, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same as a generator, line by line: yields the number of corners stroked so far. */
export function* drawIncrementally(
  pen: Pen,
  picture: Picture,
  options: DrawOptions,
): Generator<number, DrawStats> {
  if (picture.strip !== null) {
    const points = drawStrip(pen, picture, picture.strip, options.highlighted, options.pixelRatio);
    return { points, corners: points };
  }
  drawGrid(pen, picture, options.pixelRatio);
  pen.save();
  pen.beginPath();
  const { left, top, right, bottom } = picture.plot;
  pen.rect(left - 3, top - 3, right - left + 6, bottom - top + 6);
  pen.clip();
  const drawn = yield* drawLines(pen, picture, options);
  pen.restore();
  drawClipped(pen, picture, options);
  drawNonFinite(pen, picture, options);
  drawNotes(pen, picture);
  drawAxisText(pen, picture);
  drawLabels(pen, picture, options.highlighted);
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

/** How one line is drawn. */
interface StrokeOptions {
  width: number;
  alpha: number;
  pixelRatio: number;
  /** There are so many points that drawing must be cheap. */
  crowded: boolean;
}

function* drawLines(pen: Pen, picture: Picture, options: DrawOptions): Generator<number, DrawStats> {
  const front = frontOf(picture, options);
  const rest = front === null ? picture.lines : picture.lines.filter((line) => !front.has(line));
  const { pixelRatio } = options;
  const corners = picture.lines.reduce((sum, { main }) => sum + main.x.length, 0);
  const stroke: StrokeOptions = {
    width: picture.lines.length > MANY_LINES ? 1 : 1.5,
    alpha: front === null ? 1 : picture.theme.dimAlpha,
    pixelRatio,
    crowded: !options.exact && corners > CROWDED,
  };
  const drawn: DrawStats = { points: 0, corners: 0 };
  for (const line of rest) drawBand(pen, picture, line, stroke.alpha);
  if (front !== null) for (const line of front) drawBand(pen, picture, line, 1);
  yield* drawInOrder(pen, picture, rest, stroke, drawn);
  if (front !== null) {
    yield* drawInOrder(pen, picture, front, { ...stroke, alpha: 1, width: HIGHLIGHT_WIDTH }, drawn);
  }
  pen.globalAlpha = 1;
  pen.setLineDash([]);
  return drawn;
}

/** Draws everything behind the lines first. */
function* drawInOrder(
  pen: Pen,
  picture: Picture,
  lines: Iterable<Line>,
  stroke: StrokeOptions,
  drawn: DrawStats,
): Generator<number, void> {
  for (const line of lines) drawRestarts(pen, picture, line, stroke.alpha, stroke.pixelRatio);
  for (const line of lines) {
    drawGhost(pen, picture, line, stroke, drawn);
    yield drawn.corners;
  }
  for (const line of lines) {
    drawMain(pen, picture, line, stroke, drawn);
    yield drawn.corners;
  }
}

/** The lines of the highlighted run, one per tag; null if there are none. */
function frontOf(picture: Picture, { highlighted }: DrawOptions): ReadonlySet<Line> | null {
  if (highlighted === null) return null;
  const front = new Set(picture.lines.filter(({ series }) => series.run === highlighted));
  return front.size > 0 ? front : null;
}

/** The raw points behind a smoothed line. */
function drawGhost(pen: Pen, picture: Picture, line: Line, stroke: StrokeOptions, drawn: DrawStats): void {
  if (line.ghost === null) return;
  pen.globalAlpha = stroke.alpha * picture.theme.rawAlpha;
  pen.strokeStyle = line.series.color;
  const { shown } = tracePath(picture, line.ghost, stroke.pixelRatio, polyline);
  drawn.corners += strokePolyline(pen, polyline, { ...stroke, width: GHOST_WIDTH, dash: [], opaque: false });
  drawn.points += shown + countInView(line, picture);
}

function drawMain(pen: Pen, picture: Picture, line: Line, stroke: StrokeOptions, drawn: DrawStats): void {
  const { color, dash, x } = line.series;
  pen.globalAlpha = stroke.alpha;
  pen.strokeStyle = color;
  const { shown, dots } = tracePath(picture, line.split?.whole ?? line.main, stroke.pixelRatio, polyline);
  drawn.corners += strokePolyline(pen, polyline, { ...stroke, dash, opaque: stroke.alpha === 1 });
  drawDots(pen, color, dots, x[0] === x[x.length - 1] ? 3 : Math.max(1.5, stroke.width));
  if (line.split) drawPartial(pen, picture, line.split.partial, line, stroke, drawn);
  // The points of a smoothed line are not real points.
  if (line.ghost === null)
    drawn.points += (line.split ? spannedInView(line.main, picture) : shown) + countInView(line, picture);
}

/** Where some runs of a group are non-finite, the line is that of the others: pale and dashed. */
function drawPartial(
  pen: Pen,
  picture: Picture,
  path: Path,
  line: Line,
  stroke: StrokeOptions,
  drawn: DrawStats,
): void {
  pen.globalAlpha = stroke.alpha * PARTIAL_ALPHA;
  const { dots } = tracePath(picture, path, stroke.pixelRatio, polyline);
  drawn.corners += strokePolyline(pen, polyline, { ...stroke, dash: PARTIAL_DASH, opaque: false });
  drawDots(pen, line.series.color, dots, Math.max(1.5, stroke.width));
  pen.globalAlpha = stroke.alpha;
}

function spannedInView(path: Path, { x }: Picture): number {
  let count = 0;
  for (let s = 0; s < path.segments.length; s += 2) {
    const [from, to] = clipSegment(path, s, x.domain as Range, false);
    count += to - from;
  }
  return count;
}

/** A single point has no line and is drawn as a dot, and so are points at one x, whose line may have no length. */
function drawDots(pen: Pen, color: string, dots: readonly number[], radius: number): void {
  if (dots.length === 0) return;
  pen.fillStyle = color;
  for (let i = 0; i < dots.length; i += 2) {
    pen.beginPath();
    pen.arc(dots[i]!, dots[i + 1]!, radius, 0, 2 * Math.PI);
    pen.fill();
  }
}

/** The number of non-finite points in view, which are marked at the edge. */
function countInView({ nonFinite, series }: Line, { x }: Picture): number {
  let count = 0;
  for (const i of nonFinite) if (series.x[i]! >= x.domain[0] && series.x[i]! <= x.domain[1]) count++;
  return count;
}

/** Draws a thin dotted line at each restart. */
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

/** Draws carets at the upper and lower edge where lines leave the range of y. */
function drawClipped(pen: Pen, picture: Picture, options: DrawOptions): void {
  const front = frontOf(picture, options);
  const { plot, x } = picture;
  for (const { line, above, below } of picture.clipped) {
    pen.globalAlpha = front === null || front.has(line) ? 1 : picture.theme.dimAlpha;
    pen.fillStyle = line.series.color;
    for (const [places, edge, up] of [
      [above, plot.top, -1],
      [below, plot.bottom, 1],
    ] as const) {
      let last = Number.NEGATIVE_INFINITY;
      for (const place of places) {
        const at = x.map(place);
        if (Math.abs(at - last) < CARET_GAP) continue;
        last = at;
        fillCaret(pen, at, edge, up);
      }
    }
  }
  pen.globalAlpha = 1;
}

/** The tip extends as far beyond the edge as there is room. */
function fillCaret(pen: Pen, x: number, edge: number, direction: -1 | 1): void {
  pen.beginPath();
  pen.moveTo(x - 3.5, edge - direction);
  pen.lineTo(x + 3.5, edge - direction);
  pen.lineTo(x, edge + 5 * direction);
  pen.closePath();
  pen.fill();
}

/**
 * Draws ▲ at the lower edge for NaN and ◆ at the upper or lower edge for an infinity, at their step; ▲ where a group
 * loses a run.
 */
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
    pen.globalAlpha = front === null || front.has(line) ? 1 : picture.theme.dimAlpha;
    pen.fillStyle = color;
    for (const i of marked(line)) {
      if (x[i]! < min || x[i]! > max) continue;
      const value = y[i]!;
      const kind = value - value === 0 || Number.isNaN(value) ? "nan" : value > 0 ? "up" : "down";
      const at = picture.x.map(x[i]!);
      if (Math.abs(at - last[kind]) < MARK_GAP) continue;
      last[kind] = at;
      if (kind === "nan") fillTriangle(pen, at, picture.plot.bottom);
      else fillDiamond(pen, at, kind === "up" ? picture.plot.top : picture.plot.bottom);
    }
  }
  pen.globalAlpha = 1;
}

function marked({ nonFinite, losses }: Line): Uint32Array {
  return losses.length === 0 ? nonFinite : Uint32Array.of(...losses, ...nonFinite).sort();
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

/** Below the carets. */
const NOTE_TOP = 10;

/** Draws "▲ 3 above": what the range leaves out. Small, on a background, so that lines do not cross it. */
function drawNotes(pen: Pen, picture: Picture): void {
  const { notes, plot, theme, free } = picture;
  if (notes.above === null && notes.below === null && notes.notPositive === null) return;
  pen.font = fontOf(theme, 10);
  pen.textBaseline = "middle";
  const lowest = plot.bottom - 7;
  const place = (side: Side) => (side === "left" ? plot.left + 2 : plot.right);
  if (notes.above !== null)
    drawNote(pen, theme, `▲ ${notes.above}`, place(free.top), plot.top + NOTE_TOP, free.top);
  if (notes.below !== null) {
    drawNote(pen, theme, `▼ ${notes.below}`, place(free.bottom), lowest, free.bottom);
  }
  if (notes.notPositive !== null) {
    const side = notes.below !== null && free.bottom === "left" ? "right" : "left";
    drawNote(pen, theme, notes.notPositive, place(side), lowest, side);
  }
}

/** The positions of the notes, for elements placed over them. */
export function cornerNotes({ notes, plot, size, free }: Picture): Pick<ChartStats, "above" | "below"> {
  const note = (text: string | null, side: Side, y: number) =>
    text === null ? null : { text, side, inset: side === "left" ? plot.left : size.width - plot.right, y };
  return {
    above: note(notes.above, free.top, plot.top + NOTE_TOP),
    below: note(notes.below, free.bottom, plot.bottom - 7),
  };
}

function drawNote(pen: Pen, theme: Picture["theme"], text: string, at: number, y: number, align: Side): void {
  const width = pen.measureText(text).width;
  pen.globalAlpha = 0.85;
  pen.fillStyle = theme.surface;
  pen.fillRect(align === "right" ? at - width - 3 : at - 3, y - 7, width + 6, 14);
  pen.globalAlpha = 1;
  pen.fillStyle = theme.axisText;
  pen.textAlign = align;
  pen.fillText(text, at, y);
}

function drawAxisText(pen: Pen, picture: Picture): void {
  const { plot, y, xTicks, yTicks, theme } = picture;
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
    const start = tickLabelStart(picture, value, pen.measureText(label).width);
    pen.fillText(label, start, plot.bottom + 13);
  });
}
