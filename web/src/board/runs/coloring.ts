/** The colour of each run: its own, or by group, by a part of its name, or by a value. Pure. */

import { rampColor } from "../../lib/ramp";
import { type Cell, type Column, cellOf, compareCells, type MetricValues, parseColumn } from "./column";
import { captureOf, type RunGroups } from "./groups";
import type { RunDetails } from "./run-details";
import { type ColorScheme, slotColor } from "./slot";

export interface Paint {
  /** Null: by slot. */
  color: Readonly<Record<ColorScheme, string>> | null;
  slot: number;
  /** Null: by slot. */
  dash: number | null;
}

export type Legend =
  | { kind: "slots"; items: readonly { label: string; paint: Paint; runs: number }[] }
  | { kind: "ramp"; column: Column; from: number; to: number; log: boolean };

export interface Coloring {
  paintOf(details: RunDetails): Paint;
  legend: Legend | null;
}

/** For runs that the colouring does not cover. */
const NEUTRAL: Paint = { color: { light: "#868e9b", dark: "#666f7e" }, slot: 0, dash: 0 };
/** Above this ratio of the greatest to the least value the ramp is logarithmic. */
const WIDE = 50;

export const BY_RUN: Coloring = { paintOf: cached(ownPaint), legend: null };

/** The colouring for `by`, as written in the address; by run if it is not valid. */
export function coloringBy(
  by: string,
  runs: readonly RunDetails[],
  grouped: RunGroups,
  metrics: MetricValues,
): Coloring {
  if (by === "group" || by === "run") return byGroups(grouped);
  if (by.startsWith("regex:")) return byPattern(by.slice("regex:".length), runs);
  const column = parseColumn(by);
  return column ? byColumn(column, runs, metrics) : BY_RUN;
}

/** Returns the same paint for the same details, so that rows do not render again needlessly. */
function cached(paintOf: Coloring["paintOf"]): Coloring["paintOf"] {
  const paints = new WeakMap<RunDetails, Paint>();
  return (details) => {
    const known = paints.get(details);
    if (known) return known;
    const paint = paintOf(details);
    paints.set(details, paint);
    return paint;
  };
}

/** A colour chosen by hand, else the slot. */
function ownPaint({ color, run }: RunDetails): Paint {
  if (typeof color === "string") return { color: { light: color, dark: color }, slot: run.slot, dash: 0 };
  return { color: null, slot: color ?? run.slot, dash: null };
}

/** Runs of a group have the colour of the group. */
function byGroups({ groupOf }: RunGroups): Coloring {
  if (groupOf.size === 0) return BY_RUN;
  const paintOf = (details: RunDetails): Paint => {
    const group = groupOf.get(details.id);
    return group ? { color: null, slot: group.slot, dash: null } : ownPaint(details);
  };
  return { paintOf: cached(paintOf), legend: null };
}

function byPattern(source: string, runs: readonly RunDetails[]): Coloring {
  try {
    const pattern = new RegExp(source);
    return byWord(runs, ({ name }) => captureOf(pattern, name));
  } catch {
    return BY_RUN;
  }
}

function byColumn(column: Column, runs: readonly RunDetails[], metrics: MetricValues): Coloring {
  const cells = new Map(runs.map((details) => [details.id, cellOf(column, details, metrics)]));
  const numbers = [...cells.values()].filter((cell): cell is number => Number.isFinite(cell));
  const words = [...cells.values()].some((cell) => typeof cell === "string");
  if (words || numbers.length === 0)
    return byWord(runs, ({ id }) => {
      const cell = cells.get(id) ?? null;
      return cell === null ? null : String(cell);
    });
  return byNumber(column, cells, numbers);
}

function byNumber(column: Column, cells: ReadonlyMap<number, Cell>, numbers: readonly number[]): Coloring {
  const { from, to, log, paint } = rampOf(numbers);
  const paintOf = ({ id }: RunDetails): Paint => paint(cells.get(id) ?? null);
  return { paintOf: cached(paintOf), legend: { kind: "ramp", column, from, to, log } };
}

/** Colours between the least and the greatest of some numbers. */
function rampOf(numbers: readonly number[]) {
  const from = numbers.reduce((a, b) => Math.min(a, b), numbers[0] ?? 0);
  const to = numbers.reduce((a, b) => Math.max(a, b), from);
  const log = from > 0 && to / from > WIDE;
  const scale = log ? Math.log : (value: number) => value;
  const width = scale(to) - scale(from);
  const paint = (cell: Cell): Paint => {
    if (typeof cell !== "number" || !Number.isFinite(cell)) return NEUTRAL;
    const part = width > 0 ? (scale(cell) - scale(from)) / width : 0.5;
    return { color: { light: rampColor(part, "light"), dark: rampColor(part, "dark") }, slot: 0, dash: 0 };
  };
  return { from, to, log, paint };
}

/** The ends of a ramp of colours. */
export interface RampEnds {
  from: number;
  to: number;
  log: boolean;
}

/** Paints for cells by their numbers, whatever their rows are. */
export function paintsOf(cells: readonly Cell[]): { paints: readonly Paint[]; ends: RampEnds } {
  const { paint, from, to, log } = rampOf(cells.filter((cell): cell is number => Number.isFinite(cell)));
  return { paints: cells.map(paint), ends: { from, to, log } };
}

function byWord(runs: readonly RunDetails[], wordOf: (details: RunDetails) => string | null): Coloring {
  const words = new Map<string, number>();
  for (const details of runs) {
    const word = wordOf(details);
    if (word !== null) words.set(word, (words.get(word) ?? 0) + 1);
  }
  const order = [...words.keys()].toSorted((a, b) => compareCells(a, b, false));
  const paints = new Map(
    order.map((word, slot): [string, Paint] => [word, { color: null, slot, dash: null }]),
  );
  return {
    paintOf: cached((details) => paints.get(wordOf(details) ?? "") ?? NEUTRAL),
    legend: {
      kind: "slots",
      items: order.map((word) => ({ label: word, paint: paints.get(word)!, runs: words.get(word)! })),
    },
  };
}

/** The colour of a paint in a theme. */
export function paintColor({ color, slot }: Paint, scheme: ColorScheme): string {
  return color ? color[scheme] : slotColor(slot, scheme);
}
