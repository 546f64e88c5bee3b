/**
 * Strokes lines at a width. Without GPU, browsers draw lines of one device pixel ten to twenty times faster than
 * wider ones, and long wide lines much slower than the same line in pieces, which matters for noisy charts. So
 * crowded pictures are drawn with several thin lines side by side, or in pieces.
 */

import type { Pen } from "./pen";
import type { Polyline } from "./polyline";

export interface Stroke {
  width: number;
  dash: readonly number[];
  pixelRatio: number;
  crowded: boolean;
  /** The colour is opaque, so overlapping pieces do not show. */
  opaque: boolean;
}

/** Points per piece: few enough to be fast, many enough to have few seams. */
const PIECE = 16;
const THIN = 1;
/** From this pixel ratio on a line of one CSS pixel is wider than a device pixel. */
const SHARP = 1.25;

/** Strokes in the colour and alpha of the pen. Returns the number of corners. */
export function strokePolyline(pen: Pen, line: Polyline, stroke: Stroke): number {
  const { width, dash, pixelRatio, crowded, opaque } = stroke;
  pen.setLineDash([...dash]);
  pen.lineJoin = "round";
  pen.lineCap = "butt";
  pen.lineWidth = width;
  if (crowded && width > THIN && pixelRatio < SHARP) return strokeSideBySide(pen, line, width, opaque);
  if (crowded && pixelRatio >= SHARP && dash.length === 0) strokeInPieces(pen, line, opaque);
  else strokeWhole(pen, line, 0);
  return line.length;
}

function strokeWhole(pen: Pen, { points, starts, length }: Polyline, down: number): void {
  pen.beginPath();
  for (let s = 0; s < starts.length; s++) {
    const from = starts[s]!;
    const to = starts[s + 1] ?? length;
    pen.moveTo(points[2 * from]!, points[2 * from + 1]! + down);
    for (let at = 2 * from + 2; at < 2 * to; at += 2) pen.lineTo(points[at]!, points[at + 1]! + down);
  }
  pen.stroke();
}

/** Strokes thin lines side by side. If not opaque they would add up, so only one is drawn. */
function strokeSideBySide(pen: Pen, line: Polyline, width: number, opaque: boolean): number {
  const count = opaque ? Math.ceil(width) : 1;
  pen.lineWidth = THIN;
  for (let k = 0; k < count; k++) {
    strokeWhole(pen, line, count === 1 ? 0 : (width - THIN) * (k / (count - 1) - 0.5));
  }
  return count * line.length;
}

function strokeInPieces(pen: Pen, { points, starts, length }: Polyline, opaque: boolean): void {
  pen.lineCap = opaque ? "round" : "butt";
  for (let s = 0; s < starts.length; s++) {
    const to = (starts[s + 1] ?? length) - 1;
    for (let from = starts[s]!; from < to; from += PIECE) {
      pen.beginPath();
      pen.moveTo(points[2 * from]!, points[2 * from + 1]!);
      for (let i = from + 1; i <= Math.min(to, from + PIECE); i++) {
        pen.lineTo(points[2 * i]!, points[2 * i + 1]!);
      }
      pen.stroke();
    }
  }
}
