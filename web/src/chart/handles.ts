/** The pinned step and the ends of the chosen range: rules across the plot with grips below it to drag them by. */

import type { Axis, Handle } from "./model";
import { fontOf, type Pen, sharp } from "./pen";
import type { Picture } from "./picture";

export interface Marks {
  pinned: number | null;
  /** They can be dragged, and show it. */
  draggable: boolean;
  /** The chosen range of x, in any order. */
  range: readonly [number, number] | null;
}

/** Half the width of a grip, and how far beside it a pointer still takes it. */
const HALF = 2.5;
const REACH = 7;
const FINGER_REACH = 18;
const GRIP_ABOVE = 11;
const GRIP_HEIGHT = 13;
const GRIP_ROOM = 24;
const SHADE = 0.1;

/** What stands where. A pin at an end of the range is that end. */
export function marksOf({ pinned, range }: Pick<Marks, "pinned" | "range">): { handle: Handle; x: number }[] {
  if (range === null) return pinned === null ? [] : [{ handle: "pin", x: pinned }];
  const ends: { handle: Handle; x: number }[] = [
    { handle: "from", x: range[0] },
    { handle: "to", x: range[1] },
  ];
  return pinned === null || range.includes(pinned) ? ends : [...ends, { handle: "pin", x: pinned }];
}

/** The handle under a place; of two the nearer. */
export function handleAt(
  { x, plot, strip }: Picture,
  marks: Marks,
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

/** Shade, rules and grips. `formatX` is given where the grips are to say where they stand. */
export function drawMarks(
  pen: Pen,
  picture: Picture,
  marks: Marks,
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
  for (const { x: value } of marksOf(marks)) {
    if (!drawRule(pen, picture, value, theme.accent, [], ratio) || !marks.draggable) continue;
    drawGrip(pen, picture, value);
    if (formatX !== null) drawFlag(pen, picture, value, formatX(value, axis));
  }
}

/** A vertical line at x; false if x is out of view. */
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

/** Says where a handle stands, over the labels of the axis. */
function drawFlag(pen: Pen, { x, plot, theme, size }: Picture, value: number, text: string): void {
  pen.font = fontOf(theme, undefined, 500);
  const width = pen.measureText(text).width + 12;
  const at = Math.max(1, Math.min(size.width - width - 1, x.map(value) - width / 2));
  pen.fillStyle = theme.accent;
  pen.beginPath();
  pen.rect(at, plot.bottom + 3, width, 18);
  pen.fill();
  pen.fillStyle = theme.surface;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillText(text, at + 6, plot.bottom + 12.5);
}
