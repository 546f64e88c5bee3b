/**
 * Colours of the points: categories of a column in the ten colours of the board and four shapes, a number as a ramp,
 * or none. Pure.
 */

import { naturalOrder } from "../../lib/natural-order";
import { rampColor } from "../../lib/ramp";
import { type ColorScheme, slotColor } from "../runs/slot";
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
  /** The palette index of each row. */
  codes: Uint8Array;
  palette: Palette;
  legend: Legend | null;
}

const LEAST_CATEGORIES = 2;
export const MAX_AT_ONCE = 20;
/** Ten colours in four shapes; further categories are grey. */
export const MAX_CATEGORIES = 40;
const SLOTS = 10;
const RAMP_STEPS = 64;
/** Above this ratio of the greatest to the least value the ramp is logarithmic. */
const WIDE = 50;
const GREY: Record<ColorScheme, string> = { light: "#868e9b", dark: "#666f7e" };
const PAPER: Record<ColorScheme, string> = { light: "#ffffff", dark: "#15181e" };

/** The first column with few values, which is a useful default; null if there is none. */
export function usualColumn(columns: readonly ColumnInfo[]): string | null {
  const few = ({ kind, distinct }: ColumnInfo) =>
    kind !== "text" && distinct >= LEAST_CATEGORIES && distinct <= MAX_AT_ONCE;
  return (
    columns.find((column) => few(column))?.name ?? columns.find(({ kind }) => kind === "number")?.name ?? null
  );
}

/** Whether a column can be used for colours. */
export function canColor({ kind, distinct }: ColumnInfo): boolean {
  return kind === "number" || (distinct >= 1 && distinct <= 0xffff);
}

export function coloringOf(values: ColumnValues | null, count: number, scheme: ColorScheme): Coloring {
  if (values === null) return plain(count, scheme);
  return values.kind === "number" ? byNumber(values.numbers, scheme) : byCategory(values, scheme);
}

function plain(count: number, scheme: ColorScheme): Coloring {
  const palette = { colors: [parsed(slotColor(0, scheme))], shapes: [0], paper: parsed(PAPER[scheme]) };
  return { codes: new Uint8Array(count), palette, legend: null };
}

/** Colours go to the categories with most rows, in the order of their labels. */
function byCategory(
  values: { codes: Uint16Array; labels: readonly string[] },
  scheme: ColorScheme,
): Coloring {
  const { codes, labels } = values;
  const counts = new Uint32Array(labels.length);
  for (const code of codes) counts[code]! += 1;
  const named = labels.map((_, code) => code).filter((code) => counts[code]! > 0);
  const most = named.toSorted((a, b) => counts[b]! - counts[a]! || a - b).slice(0, MAX_CATEGORIES);
  const shown = most.toSorted((a, b) => naturalOrder(labels[a]!, labels[b]!));
  const grey = shown.length;
  const slots = new Uint8Array(labels.length).fill(grey);
  shown.forEach((code, slot) => {
    slots[code] = slot;
  });
  const items = shown.map((code, slot) => ({
    code,
    label: labels[code]!,
    color: slotColor(slot, scheme),
    shape: Math.floor(slot / SLOTS),
    count: counts[code]!,
  }));
  const palette = {
    colors: [...items.map(({ color }) => parsed(color)), parsed(GREY[scheme])],
    shapes: [...items.map(({ shape }) => shape), 0],
    paper: parsed(PAPER[scheme]),
  };
  const others = named.length - shown.length;
  return {
    codes: Uint8Array.from(codes, (code) => slots[code]!),
    palette,
    legend: { kind: "categories", items, others },
  };
}

function byNumber(numbers: Float32Array, scheme: ColorScheme): Coloring {
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
    parsed(rampColor(step / (RAMP_STEPS - 1), scheme)),
  );
  const palette = {
    colors: [...ramp, parsed(GREY[scheme])],
    shapes: new Array<number>(RAMP_STEPS + 1).fill(0),
    paper: parsed(PAPER[scheme]),
  };
  return { codes, palette, legend: Number.isFinite(from) ? { kind: "ramp", from, to, log } : null };
}

/** "#rrggbb" as a number. */
function parsed(color: string): number {
  return Number.parseInt(color.slice(1), 16);
}
