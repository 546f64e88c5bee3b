/**
 * Draws a picture: grid, lines, marks, axis text. A pure function of its arguments, on any context, so it
 * serves the page, an export and a test alike.
 */

import { drawBand } from "./band";
import type { Range } from "./domain";
import { drawLabels } from "./labels";
import { clipStrand, type Line, type Path } from "./line";
import type { ChartStats } from "./model";
import { fontOf, type Pen, sharp } from "./pen";
import { type Picture, type Side, tickLabelStart } from "./picture";
import { Polyline, tracePath } from "./polyline";
import { drawStrip } from "./strip";
import { strokePolyline } from "./stroke";

export interface DrawOptions {
  /** Device pixels per CSS pixel; the context is expected to be scaled by it. */
  pixelRatio: number;
  /** Run in front, the others dimmed; null for none, and no effect if the run is not in the picture. */
  highlighted: number | null;
  /** Draw each line as one stroke: no tricks for the sake of speed. */
  plain?: boolean;
}

const MANY_LINES = 20;
const GHOST_WIDTH = 1;
const PARTIAL_ALPHA = 0.6;
const PARTIAL_DASH = [2, 3];
const HIGHLIGHT_WIDTH = 2.25;
/** Points of a picture above which lines are drawn the cheap way; below it nobody waits. */
const CROWDED = 1500;
const MARK_GAP = 7;
const CARET_GAP = 5;

/** Filled and stroked again for every line, so that drawing makes no garbage. */
const polyline = new Polyline();

export interface Drawn {
  /** Real points the picture shows. */
  points: number;
  /** Corners of all lines stroked: what rasterising them costs goes with it. */
  corners: number;
}

export function drawPicture(pen: Pen, picture: Picture, options: DrawOptions): Drawn {
  const steps = drawSteps(pen, picture, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same, line by line: yields how many corners have been stroked so far. */
export function* drawSteps(pen: Pen, picture: Picture, options: DrawOptions): Generator<number, Drawn> {
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
interface Look {
  width: number;
  alpha: number;
  pixelRatio: number;
  /** The picture holds so many points that drawing must be cheap. */
  crowded: boolean;
}

function* drawLines(pen: Pen, picture: Picture, options: DrawOptions): Generator<number, Drawn> {
  const front = frontOf(picture, options);
  const rest = front === null ? picture.lines : picture.lines.filter((line) => !front.has(line));
  const { pixelRatio } = options;
  const corners = picture.lines.reduce((sum, { main }) => sum + main.x.length, 0);
  const look: Look = {
    width: picture.lines.length > MANY_LINES ? 1 : 1.5,
    alpha: front === null ? 1 : picture.theme.dimAlpha,
    pixelRatio,
    crowded: !options.plain && corners > CROWDED,
  };
  const drawn: Drawn = { points: 0, corners: 0 };
  for (const line of rest) drawBand(pen, picture, line, look.alpha);
  if (front !== null) for (const line of front) drawBand(pen, picture, line, 1);
  yield* drawInOrder(pen, picture, rest, look, drawn);
  if (front !== null) {
    yield* drawInOrder(pen, picture, front, { ...look, alpha: 1, width: HIGHLIGHT_WIDTH }, drawn);
  }
  pen.globalAlpha = 1;
  pen.setLineDash([]);
  return drawn;
}

/** All that lies behind comes first. */
function* drawInOrder(
  pen: Pen,
  picture: Picture,
  lines: Iterable<Line>,
  look: Look,
  drawn: Drawn,
): Generator<number, void> {
  for (const line of lines) drawRestarts(pen, picture, line, look.alpha, look.pixelRatio);
  for (const line of lines) {
    drawGhost(pen, picture, line, look, drawn);
    yield drawn.corners;
  }
  for (const line of lines) {
    drawMain(pen, picture, line, look, drawn);
    yield drawn.corners;
  }
}

/** The lines of the run in front: one of each tag. Null if there are none. */
function frontOf(picture: Picture, { highlighted }: DrawOptions): ReadonlySet<Line> | null {
  if (highlighted === null) return null;
  const front = new Set(picture.lines.filter(({ series }) => series.run === highlighted));
  return front.size > 0 ? front : null;
}

/** The raw points behind a smoothed line. */
function drawGhost(pen: Pen, picture: Picture, line: Line, look: Look, drawn: Drawn): void {
  if (line.ghost === null) return;
  pen.globalAlpha = look.alpha * picture.theme.rawAlpha;
  pen.strokeStyle = line.series.color;
  const { shown } = tracePath(picture, line.ghost, look.pixelRatio, polyline);
  drawn.corners += strokePolyline(pen, polyline, { ...look, width: GHOST_WIDTH, dash: [], opaque: false });
  drawn.points += shown + countInView(line, picture);
}

function drawMain(pen: Pen, picture: Picture, line: Line, look: Look, drawn: Drawn): void {
  const { color, dash, x } = line.series;
  pen.globalAlpha = look.alpha;
  pen.strokeStyle = color;
  const { shown, dots } = tracePath(picture, line.split?.whole ?? line.main, look.pixelRatio, polyline);
  drawn.corners += strokePolyline(pen, polyline, { ...look, dash, opaque: look.alpha === 1 });
  drawDots(pen, color, dots, x.length === 1 ? 3 : Math.max(1.5, look.width));
  if (line.split) drawPartial(pen, picture, line.split.partial, line, look, drawn);
  // The points of a smoothed line are not real ones.
  if (line.ghost === null)
    drawn.points += (line.split ? spannedInView(line.main, picture) : shown) + countInView(line, picture);
}

/** Where not all runs of a group have numbers any more its line is that of the others: pale and dashed. */
function drawPartial(pen: Pen, picture: Picture, path: Path, line: Line, look: Look, drawn: Drawn): void {
  pen.globalAlpha = look.alpha * PARTIAL_ALPHA;
  const { dots } = tracePath(picture, path, look.pixelRatio, polyline);
  drawn.corners += strokePolyline(pen, polyline, { ...look, dash: PARTIAL_DASH, opaque: false });
  drawDots(pen, line.series.color, dots, Math.max(1.5, look.width));
  pen.globalAlpha = look.alpha;
}

function spannedInView(path: Path, { x }: Picture): number {
  let count = 0;
  for (let s = 0; s < path.strands.length; s += 2) {
    const [from, to] = clipStrand(path, s, x.domain as Range, false);
    count += to - from;
  }
  return count;
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

/** Carets at the upper and the lower edge, where lines leave the range of y. */
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

/** Its point is as far beyond the edge as there is room. */
function fillCaret(pen: Pen, x: number, edge: number, direction: -1 | 1): void {
  pen.beginPath();
  pen.moveTo(x - 3.5, edge - direction);
  pen.lineTo(x + 3.5, edge - direction);
  pen.lineTo(x, edge + 5 * direction);
  pen.closePath();
  pen.fill();
}

/** ▲ at the lower edge for NaN, ◆ at the upper or lower edge for an infinity, at their step; ▲ where a group loses a run. */
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

/** "▲ 3 above": what the chosen range leaves out. Small, on paper of its own so that lines do not cross it. */
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

/** The same for who puts something over them. */
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
