/** Which colour a run has: its own, or that of its group, of a part of its name, or of a value. Pure. */

import { rampColor } from "../base/ramp";
import { type Cell, type Column, cellOf, compareCells, type MetricValues, parseColumn } from "./column";
import type { RunFacts } from "./facts";
import { captured, type Grouped } from "./groups";
import { type Shade, slotColor } from "./slot";

export interface Paint {
  /** Null: by slot. */
  color: Readonly<Record<Shade, string>> | null;
  slot: number;
  /** Null: by slot. */
  dash: number | null;
}

export type Legend =
  | { kind: "slots"; items: readonly { label: string; paint: Paint; runs: number }[] }
  | { kind: "ramp"; column: Column; from: number; to: number; log: boolean };

export interface Coloring {
  paintOf(facts: RunFacts): Paint;
  legend: Legend | null;
}

/** For runs a colouring says nothing of. */
const NEUTRAL: Paint = { color: { light: "#868e9b", dark: "#666f7e" }, slot: 0, dash: 0 };
/** Values that differ by more than this factor are told apart by their logarithms. */
const WIDE = 50;

export const BY_RUN: Coloring = { paintOf: kept(ownPaint), legend: null };

/** The colouring that `by` asks for, in the words of the address; by run where it makes no sense. */
export function coloringBy(
  by: string,
  runs: readonly RunFacts[],
  grouped: Grouped,
  metrics: MetricValues,
): Coloring {
  if (by === "group" || by === "run") return byGroups(grouped);
  if (by.startsWith("regex:")) return byPattern(by.slice("regex:".length), runs);
  const column = parseColumn(by);
  return column ? byColumn(column, runs, metrics) : BY_RUN;
}

/** The same paint for the same facts, so that no row is drawn again for nothing. */
function kept(paintOf: Coloring["paintOf"]): Coloring["paintOf"] {
  const paints = new WeakMap<RunFacts, Paint>();
  return (facts) => {
    const known = paints.get(facts);
    if (known) return known;
    const paint = paintOf(facts);
    paints.set(facts, paint);
    return paint;
  };
}

/** A colour chosen by hand, else the slot. */
function ownPaint({ color, run }: RunFacts): Paint {
  if (typeof color === "string") return { color: { light: color, dark: color }, slot: run.slot, dash: 0 };
  return { color: null, slot: color ?? run.slot, dash: null };
}

/** Runs that stand in a group have its colour. */
function byGroups({ groupOf }: Grouped): Coloring {
  if (groupOf.size === 0) return BY_RUN;
  const paintOf = (facts: RunFacts): Paint => {
    const group = groupOf.get(facts.id);
    return group ? { color: null, slot: group.slot, dash: null } : ownPaint(facts);
  };
  return { paintOf: kept(paintOf), legend: null };
}

function byPattern(source: string, runs: readonly RunFacts[]): Coloring {
  try {
    const pattern = new RegExp(source);
    return byWord(runs, ({ name }) => captured(pattern, name));
  } catch {
    return BY_RUN;
  }
}

function byColumn(column: Column, runs: readonly RunFacts[], metrics: MetricValues): Coloring {
  const cells = new Map(runs.map((facts) => [facts.id, cellOf(column, facts, metrics)]));
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
  const paintOf = ({ id }: RunFacts): Paint => paint(cells.get(id) ?? null);
  return { paintOf: kept(paintOf), legend: { kind: "ramp", column, from, to, log } };
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

/** Paints of single cells by their numbers, whatever rows these are of. */
export function paintsOf(cells: readonly Cell[]): { paints: readonly Paint[]; ends: RampEnds } {
  const { paint, from, to, log } = rampOf(cells.filter((cell): cell is number => Number.isFinite(cell)));
  return { paints: cells.map(paint), ends: { from, to, log } };
}

function byWord(runs: readonly RunFacts[], wordOf: (facts: RunFacts) => string | null): Coloring {
  const words = new Map<string, number>();
  for (const facts of runs) {
    const word = wordOf(facts);
    if (word !== null) words.set(word, (words.get(word) ?? 0) + 1);
  }
  const order = [...words.keys()].toSorted((a, b) => compareCells(a, b, false));
  const paints = new Map(
    order.map((word, slot): [string, Paint] => [word, { color: null, slot, dash: null }]),
  );
  return {
    paintOf: kept((facts) => paints.get(wordOf(facts) ?? "") ?? NEUTRAL),
    legend: {
      kind: "slots",
      items: order.map((word) => ({ label: word, paint: paints.get(word)!, runs: words.get(word)! })),
    },
  };
}

/** The colour of a paint in a theme. */
export function paintColor({ color, slot }: Paint, shade: Shade): string {
  return color ? color[shade] : slotColor(slot, shade);
}
