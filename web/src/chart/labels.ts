/** Names at the ends of lines, spread so that none covers another. Pure; text is measured by a function given. */

import { cutInMiddle } from "../base/short-names";
import type { Line } from "./line";
import { fontOf, type Pen } from "./pen";
import type { Box, Picture } from "./picture";
import type { Scale } from "./scale";

export interface EndLabel {
  line: Line;
  text: string;
  /** Where the text begins and its middle, in pixels. */
  x: number;
  y: number;
  /** Pixel of the line's end; NaN where it lies too far away to be joined. */
  endX: number;
  endY: number;
}

/** More names than this are a legend. */
const MOST_LABELS = 8;
const LINE_HEIGHT = 14;
const SWATCH = 12;
const GAP = 6;
const MOST_SHARE = 0.32;
/** The lines keep this much; on a phone long names would leave them half the window. */
const LEAST_PLOT = 280;
/** A line that ends further from the edge is not joined to its name. */
const JOIN = 28;

/** Pixels that names take at the right of the plot; 0 without any, and where they would crowd out the lines. */
export function labelRoom(lines: readonly Line[], width: number, measure: (text: string) => number): number {
  if (lines.length === 0 || lines.length > MOST_LABELS) return 0;
  const widest = Math.max(...lines.map(({ series }) => measure(series.label)));
  const room = Math.ceil(Math.min(widest, MOST_SHARE * width)) + SWATCH + 2 * GAP;
  return width - room < LEAST_PLOT ? 0 : room;
}

/** Whether all names stand there whole. */
export function labelsFit(
  labels: readonly string[],
  width: number,
  measure: (text: string) => number,
): boolean {
  return labels.length <= MOST_LABELS && labels.every((label) => measure(label) <= MOST_SHARE * width);
}

export function placeLabels(
  lines: readonly Line[],
  x: Scale,
  y: Scale,
  plot: Box,
  room: number,
  measure: (text: string) => number,
): EndLabel[] {
  if (room === 0) return [];
  const ends = lines.flatMap((line) => {
    const end = lastInView(line, x, y);
    return end === null ? [] : [{ line, ...end }];
  });
  ends.sort((a, b) => a.endY - b.endY);
  const held = (at: number) => Math.max(plot.top, Math.min(plot.bottom, at));
  const places = spread(
    ends.map(({ endY }) => held(endY)),
    LINE_HEIGHT,
    plot.top,
    plot.bottom,
  );
  return ends.map(({ line, endX, endY }, i) => ({
    line,
    text: cutInMiddle(line.series.label, (text) => measure(text) <= room - SWATCH - 2 * GAP),
    x: plot.right + SWATCH + 2 * GAP,
    y: places[i]!,
    endX: plot.right - endX <= JOIN ? endX : Number.NaN,
    endY: held(endY),
  }));
}

/** Pixels of the last point of a line that is in view; null if none is. */
function lastInView({ main }: Line, x: Scale, y: Scale): { endX: number; endY: number } | null {
  const [min, max] = x.domain;
  for (let s = main.strands.length - 2; s >= 0; s -= 2) {
    for (let i = main.strands[s + 1]! - 1; i >= main.strands[s]!; i--) {
      const at = main.x[i]!;
      if (at >= min && at <= max) return { endX: x.map(at), endY: y.map(main.y[i]!) };
    }
  }
  return null;
}

/**
 * Places as near to the sorted `targets` as can be, at least `gap` apart and inside [min, max] if there is room:
 * what would overlap is moved apart around its middle.
 */
export function spread(targets: readonly number[], gap: number, min: number, max: number): number[] {
  const groups: { from: number; size: number; start: number }[] = [];
  const startOf = (from: number, size: number) => {
    let sum = 0;
    for (let i = from; i < from + size; i++) sum += targets[i]! - gap * (i - from);
    return Math.max(min, Math.min(max - gap * (size - 1), sum / size));
  };
  targets.forEach((_, i) => {
    let group = { from: i, size: 1, start: startOf(i, 1) };
    for (let last = groups.at(-1); last && last.start + gap * last.size > group.start; last = groups.at(-1)) {
      groups.pop();
      const size = last.size + group.size;
      group = { from: last.from, size, start: startOf(last.from, size) };
    }
    groups.push(group);
  });
  return groups.flatMap(({ size, start }) => Array.from({ length: size }, (_, i) => start + gap * i));
}

export function drawLabels(pen: Pen, picture: Picture, highlighted: number | null): void {
  const { labels, theme } = picture;
  if (labels.length === 0) return;
  const lit = labels.some(({ line }) => line.series.run === highlighted);
  pen.font = fontOf(theme);
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  for (const { line, text, x, y, endX, endY } of labels) {
    const { color, dash } = line.series;
    pen.globalAlpha = lit && line.series.run !== highlighted ? theme.dimAlpha : 1;
    pen.strokeStyle = color;
    pen.lineWidth = 1;
    pen.setLineDash([]);
    pen.beginPath();
    const swatch = x - GAP - SWATCH;
    if (!Number.isNaN(endX)) {
      pen.moveTo(endX, endY);
      pen.lineTo(swatch, y);
    }
    pen.stroke();
    pen.lineWidth = 2;
    pen.setLineDash([...dash]);
    pen.beginPath();
    pen.moveTo(swatch, y);
    pen.lineTo(swatch + SWATCH, y);
    pen.stroke();
    pen.fillStyle = theme.text2;
    pen.fillText(text, x, y);
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}
