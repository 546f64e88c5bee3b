/**
 * Line names at the ends of lines, spread so that they do not overlap. Pure; the caller provides the function that
 * measures text.
 */

import { cutInMiddle } from "../lib/short-names";
import type { Line } from "./line";
import { fontOf, type Pen } from "./pen";
import type { Box, EndLabel, Picture } from "./picture";
import type { Scale } from "./scale";

/** With more names than this there is a legend instead. */
const MAX_LABELS = 8;
const LINE_HEIGHT = 14;
const SWATCH = 12;
const GAP = 6;
const MAX_SHARE = 0.32;
/** Minimum width of the plot: on a phone long names would take half the window. */
const LEAST_PLOT = 280;
/** Names are connected to lines that end closer than this. */
const JOIN = 28;

/** Width of the names at the right of the plot; 0 if there are none, or not enough room. */
export function labelRoom(lines: readonly Line[], width: number, measure: (text: string) => number): number {
  if (lines.length === 0 || lines.length > MAX_LABELS) return 0;
  const widest = Math.max(...lines.map(({ series }) => measure(series.label)));
  const room = Math.ceil(Math.min(widest, MAX_SHARE * width)) + SWATCH + 2 * GAP;
  return width - room < LEAST_PLOT ? 0 : room;
}

/** Whether all names fit completely. */
export function labelsFit(
  labels: readonly string[],
  width: number,
  measure: (text: string) => number,
): boolean {
  return labels.length <= MAX_LABELS && labels.every((label) => measure(label) <= MAX_SHARE * width);
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
  const clamp = (at: number) => Math.max(plot.top, Math.min(plot.bottom, at));
  const places = spread(
    ends.map(({ endY }) => clamp(endY)),
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
    endY: clamp(endY),
  }));
}

/** Pixel of the last point of a line in view; null if there is none. */
function lastInView({ main }: Line, x: Scale, y: Scale): { endX: number; endY: number } | null {
  const [min, max] = x.domain;
  for (let s = main.segments.length - 2; s >= 0; s -= 2) {
    for (let i = main.segments[s + 1]! - 1; i >= main.segments[s]!; i--) {
      const at = main.x[i]!;
      if (at >= min && at <= max) return { endX: x.map(at), endY: y.map(main.y[i]!) };
    }
  }
  return null;
}

/**
 * Positions as close as possible to the sorted `targets`, at least `gap` apart and inside [min, max] if there is
 * room: overlapping ones are moved apart around their middle.
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
