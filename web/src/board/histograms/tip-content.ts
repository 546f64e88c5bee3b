/** The content of the tooltip at a position of a plot. */

import { say } from "../../i18n/words";
import { formatClock } from "../../lib/clock";
import { formatDuration } from "../../lib/duration";
import { formatStep, formatValue } from "../../lib/number";
import type { ColumnAxis } from "./columns";
import type { HistogramBlock } from "./histograms";
import { type Bucket, bucketAt, totalOf } from "./profile";

export interface Line {
  name: string;
  value: string;
}

export interface Reading {
  head: string;
  lines: readonly Line[];
}

const DIGITS = 4;
/** A smaller share outside the range is not mentioned. */
const MIN_OUTSIDE = 0.005;

export function stepText({ steps, lastSteps, members }: HistogramBlock, column: number): string {
  const first = formatStep(steps[column]!);
  const last = lastSteps?.[column];
  const several = last !== undefined && members![column]! > 1;
  return say("tip.step", { step: several ? `${first} – ${formatStep(last)}` : first });
}

function headOf(block: HistogramBlock, column: number, axis: ColumnAxis): string {
  const step = stepText(block, column);
  const wall = block.walls[column]!;
  if (axis === "wall") return `${formatClock(wall)} · ${step}`;
  const after = formatDuration(wall - block.firstWall);
  return wall > block.firstWall ? `${step} · +${after}` : step;
}

/** `value`: the one under the pointer; `buckets`: all buckets of this histogram, if loaded. */
export function readingOf(
  block: HistogramBlock,
  rows: number,
  column: number,
  value: number,
  axis: ColumnAxis,
  buckets: readonly Bucket[] | null,
): Reading {
  const lines: Line[] = [];
  const line = buckets ? exactLine(buckets, value) : cellLine(block, rows, column, value);
  if (line) lines.push(line);
  const at = (line: number) => formatValue(block.lines[line]![column]!, DIGITS);
  const total = block.totals[column]!;
  if (total > 0) {
    lines.push({ name: say("hist.median"), value: at(4) });
    lines.push({ name: "5 – 95 %", value: `${at(2)} … ${at(6)}` });
    lines.push({ name: say("hist.all"), value: `${at(0)} … ${at(8)}` });
    lines.push({ name: say("hist.count"), value: formatCount(buckets ? totalOf(buckets) : total) });
  } else lines.push({ name: say("hist.nothing"), value: "" });
  const outside = block.below[column]! + block.above[column]!;
  const members = block.members?.[column] ?? 1;
  if (members > 1) lines.push({ name: say("hist.mean"), value: formatStep(members) });
  if (outside >= MIN_OUTSIDE) lines.push({ name: say("hist.outside"), value: shareText(outside) });
  return { head: headOf(block, column, axis), lines };
}

function exactLine(buckets: readonly Bucket[], value: number): Line | null {
  const found = bucketAt(buckets, value);
  if (!found) return null;
  const share = shareText(found.count / (totalOf(buckets) || 1));
  return { name: spanText(found.left, found.right), value: `${formatCount(found.count)} (${share})` };
}

/** From the drawn cells, until the buckets have loaded. */
function cellLine(block: HistogramBlock, rows: number, column: number, value: number): Line | null {
  const { low, high, cells } = block;
  const row = Math.floor(((value - low) / (high - low)) * rows);
  if (row < 0 || row >= rows) return null;
  const step = (high - low) / rows;
  const mass = cells[column * rows + row]!;
  const count = formatCount(Math.round(mass * block.totals[column]!));
  return {
    name: spanText(low + row * step, low + (row + 1) * step),
    value: `≈ ${count} (${shareText(mass)})`,
  };
}

function spanText(from: number, to: number): string {
  return `${formatValue(from, DIGITS)} … ${formatValue(to, DIGITS)}`;
}

export function formatCount(count: number): string {
  return Number.isInteger(count) && Math.abs(count) < 1e15 ? formatStep(count) : formatValue(count, 5);
}

export function shareText(part: number): string {
  return `${formatValue(100 * part, part < 0.0995 ? 2 : 3)} %`;
}
