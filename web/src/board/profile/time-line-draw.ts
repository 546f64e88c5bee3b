/** Draws a time line on a canvas: ruler, steps, tracks and marks. */

import type { ChartTheme } from "../../chart/model";
import { linearTicks } from "../../chart/ticks";
import { formatMicroseconds } from "../../lib/microseconds";
import type { ColorScheme } from "../runs/slot";
import type { Span } from "../view/view-codec";
import { type Category, categoryColor, type ProfileStep, type TimeLine } from "./profiles";
import { HEAD_PX, type Places, ROW_PX, RULER_PX } from "./time-line-marks";

const TICK_PX = 110;
const LETTER_PX = 6.2;
const LEAST_TEXT_PX = 24;
const STEPS_PX = 18;

export interface Drawing {
  line: TimeLine;
  places: Places;
  steps: readonly ProfileStep[];
  window: Span;
  width: number;
  height: number;
  /** How far tracks are scrolled. */
  top: number;
  theme: ChartTheme;
  scheme: ColorScheme;
  hovered: number | null;
  /** Track and slice of the chosen mark. */
  chosen: { host: number; slice: number } | null;
}

export function drawTimeLine(pen: CanvasRenderingContext2D, drawing: Drawing): void {
  const { theme, width, height } = drawing;
  pen.fillStyle = theme.surface;
  pen.fillRect(0, 0, width, height);
  pen.textBaseline = "middle";
  pen.save();
  pen.beginPath();
  pen.rect(0, RULER_PX, width, height - RULER_PX);
  pen.clip();
  drawStepLines(pen, drawing);
  drawTracks(pen, drawing);
  pen.restore();
  drawRuler(pen, drawing);
}

/** Times are positions by this. */
function scaleOf({ window: [begin, end], width }: Drawing) {
  const pixels = width / (end - begin);
  return (time: number) => (time - begin) * pixels;
}

function drawRuler(pen: CanvasRenderingContext2D, drawing: Drawing): void {
  const { theme, window, width, steps } = drawing;
  const x = scaleOf(drawing);
  const ticks = linearTicks(window[0], window[1], Math.max(2, Math.floor(width / TICK_PX)));
  pen.fillStyle = theme.axisText;
  pen.font = `11px ${theme.font}`;
  pen.strokeStyle = theme.line;
  pen.lineWidth = 1;
  for (const tick of ticks.values) {
    const at = Math.round(x(tick)) + 0.5;
    line(pen, at, 0, at, RULER_PX - STEPS_PX);
    pen.fillText(formatMicroseconds(tick), at + 4, (RULER_PX - STEPS_PX) / 2);
  }
  line(pen, 0, RULER_PX - 0.5, width, RULER_PX - 0.5);
  pen.fillStyle = theme.text;
  for (const { step, start_us, duration_us } of firstHost(steps)) {
    const [from, to] = [Math.max(0, x(start_us)), Math.min(width, x(start_us + duration_us))];
    if (to < 0 || from > width) continue;
    pen.globalAlpha = 0.16;
    pen.fillStyle = theme.accent;
    pen.fillRect(from, RULER_PX - STEPS_PX, Math.max(1, to - from - 1), STEPS_PX - 2);
    pen.globalAlpha = 1;
    pen.fillStyle = theme.text;
    const text = String(step);
    if (to - from > text.length * LETTER_PX + 8) pen.fillText(text, from + 4, RULER_PX - STEPS_PX / 2 - 1);
  }
}

/** Steps of other hosts would be drawn over each other. */
function firstHost(steps: readonly ProfileStep[]): readonly ProfileStep[] {
  const first = steps[0];
  return steps.filter(({ host, rank }) => host === first?.host && rank === first.rank);
}

function drawStepLines(pen: CanvasRenderingContext2D, drawing: Drawing): void {
  const x = scaleOf(drawing);
  pen.strokeStyle = drawing.theme.grid;
  for (const { start_us, duration_us } of firstHost(drawing.steps)) {
    for (const time of [start_us, start_us + duration_us]) {
      const at = Math.round(x(time)) + 0.5;
      if (at >= 0 && at <= drawing.width) line(pen, at, RULER_PX, at, drawing.height);
    }
  }
}

function drawTracks(pen: CanvasRenderingContext2D, drawing: Drawing): void {
  const { line: data, places, top, height, theme, width } = drawing;
  places.tracks.forEach(({ top: above, rows }, track) => {
    const y = RULER_PX + above - top;
    if (y > height || y + HEAD_PX + rows.length * ROW_PX < RULER_PX) return;
    const { process, name, host } = data.tracks[track]!;
    const owner = data.hosts.length > 1 ? `${data.hosts[host]} · ` : "";
    pen.font = `500 11px ${theme.font}`;
    pen.fillStyle = theme.text2;
    pen.fillText(fitting(`${owner}${process} · ${name}`, width - 12), 6, y + HEAD_PX / 2);
    pen.font = `11px ${theme.font}`;
    rows.forEach((row, depth) => {
      const rowTop = y + HEAD_PX + depth * ROW_PX;
      if (rowTop > height || rowTop + ROW_PX < RULER_PX) return;
      for (let at = row.begin; at < row.end; at++) drawMark(pen, drawing, at, rowTop);
    });
  });
}

function drawMark(pen: CanvasRenderingContext2D, drawing: Drawing, at: number, y: number): void {
  const { line: data, theme, scheme, hovered, chosen, width } = drawing;
  const { marks } = data;
  const x = scaleOf(drawing);
  const start = marks.start_us[at]!;
  const from = Math.max(-2, x(start));
  const to = Math.min(width + 2, x(start + marks.duration_us[at]!));
  if (to < 0 || from > width) return;
  const wide = Math.max(1, to - from - (to - from > 3 ? 1 : 0));
  const color = categoryColor(data.categories[marks.category[at]!] as Category, scheme);
  const name = data.names[marks.name[at]!]!;
  const isMany = marks.count[at]! > 1;
  const busy = marks.duration_us[at]! > 0 ? marks.busy_us[at]! / marks.duration_us[at]! : 1;
  pen.globalAlpha = isMany ? 0.25 + 0.5 * Math.min(1, busy) : shadeOf(name);
  pen.fillStyle = color;
  pen.fillRect(from, y, wide, ROW_PX - 2);
  pen.globalAlpha = 1;
  const isChosen =
    !isMany && marks.slice[at] === chosen?.slice && data.tracks[marks.track[at]!]!.host === chosen?.host;
  if (isChosen || at === hovered) {
    pen.strokeStyle = isChosen ? theme.text : theme.accent;
    pen.lineWidth = isChosen ? 2 : 1;
    pen.strokeRect(from + 0.5, y + 0.5, Math.max(2, wide - 1), ROW_PX - 3);
    pen.lineWidth = 1;
  }
  if (isMany || to - from < LEAST_TEXT_PX) return;
  pen.fillStyle = theme.text;
  const left = Math.max(from, 0) + 4;
  pen.fillText(fitting(name, to - left - 4), left, y + ROW_PX / 2 - 1);
}

/** Neighbors of one category differ a little, by their names. Text is readable on all of them. */
function shadeOf(name: string): number {
  let hash = 0;
  for (let at = 0; at < name.length; at++) hash = (hash * 31 + name.charCodeAt(at)) | 0;
  return 0.22 + ((hash >>> 3) % 5) * 0.06;
}

function fitting(text: string, width: number): string {
  const most = Math.floor(width / LETTER_PX);
  return text.length <= most ? text : most > 2 ? `${text.slice(0, most - 1)}…` : "";
}

function line(pen: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}
