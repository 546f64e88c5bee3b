/**
 * What the points are coloured by: the categories of a column in the ten colours of the board and its four shapes, a number
 * as a ramp, or nothing. Pure.
 */

import { rampColor } from "../../base/ramp";
import { naturalOrder } from "../../state/natural";
import { type Shade, slotColor } from "../../state/slot";
import type { Palette } from "./splat";

export interface ColumnInfo {
  name: string;
  kind: "number" | "category" | "text";
  distinct: number;
}

/** The values of one column, for every row. */
export type ColumnValues =
  | { kind: "category"; codes: Uint16Array; labels: readonly string[] }
  | { kind: "number"; numbers: Float32Array };

export interface LegendItem {
  code: number;
  label: string;
  color: string;
  shape: number;
  count: number;
}

export type Legend =
  | { kind: "categories"; items: readonly LegendItem[]; others: number }
  | { kind: "ramp"; from: number; to: number; log: boolean };

export interface Coloring {
  /** Of each row, a place in the palette. */
  codes: Uint8Array;
  palette: Palette;
  legend: Legend | null;
}

const LEAST_CATEGORIES = 2;
export const MOST_AT_ONCE = 20;
/** Ten colours in four shapes; what is beyond is grey. */
export const MOST_CATEGORIES = 40;
const SLOTS = 10;
const RAMP_STEPS = 64;
/** Values that differ by more than this factor are told apart by their logarithms. */
const WIDE = 50;
const GREY: Record<Shade, string> = { light: "#868e9b", dark: "#666f7e" };
const PAPER: Record<Shade, string> = { light: "#ffffff", dark: "#15181e" };

/** The first column with few values, which is what people want to see at once; null where there is none. */
export function usualColumn(columns: readonly ColumnInfo[]): string | null {
  const few = ({ kind, distinct }: ColumnInfo) =>
    kind !== "text" && distinct >= LEAST_CATEGORIES && distinct <= MOST_AT_ONCE;
  return (
    columns.find((column) => few(column))?.name ?? columns.find(({ kind }) => kind === "number")?.name ?? null
  );
}

/** Columns that can be colours. */
export function canColor({ kind, distinct }: ColumnInfo): boolean {
  return kind === "number" || (distinct >= 1 && distinct <= 0xffff);
}

export function coloringOf(values: ColumnValues | null, count: number, shade: Shade): Coloring {
  if (values === null) return plain(count, shade);
  return values.kind === "number" ? byNumber(values.numbers, shade) : byCategory(values, shade);
}

function plain(count: number, shade: Shade): Coloring {
  const palette = { colors: [parsed(slotColor(0, shade))], shapes: [0], paper: parsed(PAPER[shade]) };
  return { codes: new Uint8Array(count), palette, legend: null };
}

/** The categories with most rows have the colours, in the order of their labels. */
function byCategory(values: { codes: Uint16Array; labels: readonly string[] }, shade: Shade): Coloring {
  const { codes, labels } = values;
  const counts = new Uint32Array(labels.length);
  for (const code of codes) counts[code]! += 1;
  const named = labels.map((_, code) => code).filter((code) => counts[code]! > 0);
  const most = named.toSorted((a, b) => counts[b]! - counts[a]! || a - b).slice(0, MOST_CATEGORIES);
  const shown = most.toSorted((a, b) => naturalOrder(labels[a]!, labels[b]!));
  const grey = shown.length;
  const slots = new Uint8Array(labels.length).fill(grey);
  shown.forEach((code, slot) => {
    slots[code] = slot;
  });
  const items = shown.map((code, slot) => ({
    code,
    label: labels[code]!,
    color: slotColor(slot, shade),
    shape: Math.floor(slot / SLOTS),
    count: counts[code]!,
  }));
  const palette = {
    colors: [...items.map(({ color }) => parsed(color)), parsed(GREY[shade])],
    shapes: [...items.map(({ shape }) => shape), 0],
    paper: parsed(PAPER[shade]),
  };
  const others = named.length - shown.length;
  return {
    codes: Uint8Array.from(codes, (code) => slots[code]!),
    palette,
    legend: { kind: "categories", items, others },
  };
}

function byNumber(numbers: Float32Array, shade: Shade): Coloring {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of numbers) {
    if (!Number.isFinite(value)) continue;
    from = Math.min(from, value);
    to = Math.max(to, value);
  }
  const log = from > 0 && to / from > WIDE;
  const scale = log ? Math.log : (value: number) => value;
  const [low, width] = [scale(from), scale(to) - scale(from)];
  const codes = Uint8Array.from(numbers, (value) => {
    if (!Number.isFinite(value)) return RAMP_STEPS;
    const part = width > 0 ? (scale(value) - low) / width : 0.5;
    return Math.round(part * (RAMP_STEPS - 1));
  });
  const ramp = Array.from({ length: RAMP_STEPS }, (_, step) =>
    parsed(rampColor(step / (RAMP_STEPS - 1), shade)),
  );
  const palette = {
    colors: [...ramp, parsed(GREY[shade])],
    shapes: new Array<number>(RAMP_STEPS + 1).fill(0),
    paper: parsed(PAPER[shade]),
  };
  return { codes, palette, legend: Number.isFinite(from) ? { kind: "ramp", from, to, log } : null };
}

/** "#rrggbb" as a number. */
function parsed(color: string): number {
  return Number.parseInt(color.slice(1), 16);
}
