/** The pinned step and the ends of the selected range: vertical lines with grips below the plot for dragging. */

import { spread } from "./labels";
import type { Axis, Handle } from "./model";
import { fontOf, type Pen, sharp } from "./pen";
import { type Picture, tickLabelStart } from "./picture";

export interface HandleMarks {
  pinned: number | null;
  /** They can be dragged, which their grips show. */
  draggable: boolean;
  /** The selected range of x, in any order. */
  range: readonly [number, number] | null;
}

/** Half the width of a grip, and how far beside it a pointer still hits it. */
const HALF = 2.5;
const REACH = 7;
const FINGER_REACH = 18;
const GRIP_ABOVE = 11;
const GRIP_HEIGHT = 13;
const GRIP_ROOM = 24;
const SHADE = 0.1;

/** The handles and their positions. A pin at an end of the range coincides with it. */
export function marksOf({
  pinned,
  range,
}: Pick<HandleMarks, "pinned" | "range">): { handle: Handle; x: number }[] {
  if (range === null) return pinned === null ? [] : [{ handle: "pin", x: pinned }];
  const ends: { handle: Handle; x: number }[] = [
    { handle: "from", x: range[0] },
    { handle: "to", x: range[1] },
  ];
  return pinned === null || range.includes(pinned) ? ends : [...ends, { handle: "pin", x: pinned }];
}

/** The handle at a position; the nearer of two. */
export function handleAt(
  { x, plot, strip }: Picture,
  marks: HandleMarks,
  spot: { x: number; y: number },
  finger = false,
): Handle | null {
  if (strip !== null || spot.y < plot.bottom - GRIP_ABOVE - 3 || spot.y > plot.bottom + GRIP_ROOM)
    return null;
  let best: Handle | null = null;
  let least = finger ? FINGER_REACH : REACH;
  for (const { handle, x: value } of marksOf(marks)) {
    const apart = Math.abs(x.map(value) - spot.x);
    if (!(apart <= least)) continue;
    least = apart;
    best = handle;
  }
  return best;
}

/** Draws shading, lines and grips. With `formatX` the grips show their positions. */
export function drawMarks(
  pen: Pen,
  picture: Picture,
  marks: HandleMarks,
  axis: Axis,
  ratio: number,
  formatX: ((x: number, axis: Axis) => string) | null,
): void {
  const { plot, theme, x } = picture;
  if (marks.range !== null) {
    const [a, b] = marks.range.map((value) => Math.max(plot.left, Math.min(plot.right, x.map(value))));
    pen.globalAlpha = SHADE;
    pen.fillStyle = theme.accent;
    pen.fillRect(Math.min(a!, b!), plot.top - 4, Math.abs(b! - a!), plot.bottom - plot.top + 4);
    pen.globalAlpha = 1;
  }
  const flags: Flag[] = [];
  for (const { x: value } of marksOf(marks)) {
    if (!drawRule(pen, picture, value, theme.accent, [], ratio) || !marks.draggable) continue;
    drawGrip(pen, picture, value);
    if (formatX !== null) flags.push({ at: x.map(value), text: formatX(value, axis) });
  }
  drawFlags(pen, picture, flags);
}

/** Draws a vertical line at x; returns false if x is out of view. */
export function drawRule(
  pen: Pen,
  { plot, x }: Picture,
  value: number,
  color: string,
  dash: number[],
  ratio: number,
): boolean {
  const at = x.map(value);
  if (!(at >= plot.left - 1 && at <= plot.right + 1)) return false;
  pen.globalAlpha = 1;
  pen.strokeStyle = color;
  pen.lineWidth = 1;
  pen.setLineDash(dash);
  pen.beginPath();
  pen.moveTo(sharp(at, ratio), plot.top - 4);
  pen.lineTo(sharp(at, ratio), plot.bottom);
  pen.stroke();
  pen.setLineDash([]);
  return true;
}

function drawGrip(pen: Pen, { x, plot, theme }: Picture, value: number): void {
  pen.fillStyle = theme.accent;
  pen.beginPath();
  pen.rect(x.map(value) - HALF, plot.bottom - GRIP_ABOVE, 2 * HALF, GRIP_HEIGHT);
  pen.fill();
}

/** The label of a handle. */
interface Flag {
  /** Pixel of the handle. */
  at: number;
  text: string;
}

const FLAG_PADDING = 6;
const FLAG_GAP = 2;
/** Labels start at most this far left of the plot, where the labels of y end. */
const LEFT_OF_PLOT = 6;
/** Nor do they reach the corner of the card, which is dragged to widen it. */
const CORNER = 14;

/**
 * Draws the labels in the row of axis labels, each as close below its handle as possible without overlaps. If not all
 * fit, the ends of the range come first. An axis label that would be covered in part is hidden.
 */
function drawFlags(pen: Pen, picture: Picture, flags: readonly Flag[]): void {
  if (flags.length === 0) return;
  const { plot, size, theme } = picture;
  pen.font = fontOf(theme, undefined, 500);
  const width = Math.max(...flags.map(({ text }) => pen.measureText(text).width)) + 2 * FLAG_PADDING;
  const [least, most] = [plot.left - LEFT_OF_PLOT, size.width - CORNER];
  const fitting = Math.max(1, Math.floor((most - least + FLAG_GAP) / (width + FLAG_GAP)));
  const shown = flags.slice(0, fitting).toSorted((a, b) => a.at - b.at);
  const middles = spread(
    shown.map(({ at }) => at),
    width + FLAG_GAP,
    least + width / 2,
    most - width / 2,
  );
  const places = middles.map((middle): Span => [middle - width / 2, middle + width / 2]);
  hideLabels(pen, picture, places);
  pen.font = fontOf(theme, undefined, 500);
  pen.textBaseline = "middle";
  pen.textAlign = "center";
  for (const [i, [from]] of places.entries()) {
    pen.fillStyle = theme.accent;
    fillRow(pen, picture, [from, from + width]);
    pen.fillStyle = theme.surface;
    pen.fillText(shown[i]!.text, middles[i]!, plot.bottom + 12.5);
  }
}

type Span = readonly [number, number];

/** Covers the axis labels that overlap one of the spans. */
function hideLabels(pen: Pen, picture: Picture, places: readonly Span[]): void {
  const { xTicks, theme } = picture;
  pen.font = fontOf(theme);
  pen.fillStyle = theme.surface;
  xTicks.values.forEach((value, i) => {
    const width = pen.measureText(xTicks.labels[i]!).width;
    const start = tickLabelStart(picture, value, width);
    const label: Span = [start - FLAG_GAP, start + width + FLAG_GAP];
    if (places.some(([from, to]) => from < label[1] && label[0] < to)) fillRow(pen, picture, label);
  });
}

/** Fills a part of the row below the plot. */
function fillRow(pen: Pen, { plot }: Picture, [from, to]: Span): void {
  pen.beginPath();
  pen.rect(from, plot.bottom + 3, to - from, 18);
  pen.fill();
}
