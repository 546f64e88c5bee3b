/**
 * Axis scales for the cells of a column: linear, logarithmic or by rank for numbers, side by side for words.
 * Positions run from 0 at the low end to 1. Pure.
 */

import { linearTicks, logTicks } from "../../chart/ticks";
import { naturalOrder } from "../../lib/natural-order";
import { formatChosen, formatValue } from "../../lib/number";
import type { Cell } from "../runs/column";
import type { ScaleKind } from "../view/hparams-view";
import type { Filter } from "../view/trial-filter";

export interface Tick {
  place: number;
  text: string;
}

export interface Scale {
  kind: ScaleKind | "words";
  /** Null for cells without a position: missing or non-finite. */
  place(cell: Cell): number | null;
  ticks: readonly Tick[];
  /** The filter for a range of positions. */
  between(low: number, high: number): Filter;
  /** The intervals of the axis that a filter covers. */
  pieces(filter: Filter): readonly (readonly [number, number])[];
}

/** Above this ratio of the greatest to the least value the default scale is logarithmic. */
const WIDE = 50;
/** Up to this number, each value has a tick. */
const FEW = 6;
const TICKS = 6;
const MAX_WORDS = 40;

export function scaleOf(cells: readonly Cell[], chosen: ScaleKind | undefined): Scale {
  const words = new Set<string>();
  const numbers = new Set<number>();
  for (const cell of cells) {
    if (typeof cell === "string") words.add(cell);
    else if (cell !== null && Number.isFinite(cell)) numbers.add(cell);
  }
  if (words.size > 0) return wordScale([...words, ...[...numbers].map(String)].toSorted(naturalOrder));
  const values = [...numbers].toSorted((a, b) => a - b);
  const kind = chosen === "log" && !(values[0]! > 0) ? "linear" : (chosen ?? guessScale(values));
  return numberScale(values, kind);
}

/** Guesses the scale that shows the values best. `values` are sorted. */
export function guessScale(values: readonly number[]): ScaleKind {
  const [least, most] = [values[0] ?? 0, values.at(-1) ?? 0];
  if (!(least > 0 && most / least > WIDE)) return "linear";
  // The scale on which the median is in the middle is the one they were sampled on.
  const median = values[values.length >> 1]!;
  const even = Math.abs((median - least) / (most - least) - 0.5);
  const bent = Math.abs(Math.log(median / least) / Math.log(most / least) - 0.5);
  return bent < even ? "log" : "linear";
}

/** The ticks with at least `least` of the axis between them: both ends first, since they show the range. */
export function spaceOut(ticks: readonly Tick[], least: number): readonly Tick[] {
  const ends = new Set([ticks[0], ticks.at(-1)]);
  const spacedTicks: Tick[] = [];
  for (const tick of [...ticks.filter((one) => ends.has(one)), ...ticks.filter((one) => !ends.has(one))])
    if (spacedTicks.every(({ place }) => Math.abs(place - tick.place) >= least)) spacedTicks.push(tick);
  return ticks.filter((tick) => spacedTicks.includes(tick));
}

/** The next scale on a click; logarithmic only for positive values. */
export function nextScale({ kind }: Scale, cells: readonly Cell[]): ScaleKind {
  const positive = cells.every((cell) => typeof cell !== "number" || !(cell <= 0));
  if (kind === "linear") return positive ? "log" : "quantile";
  return kind === "log" ? "quantile" : "linear";
}

function numberScale(values: readonly number[], kind: ScaleKind): Scale {
  const [least, most] = [values[0] ?? 0, values.at(-1) ?? 0];
  const bend = kind === "log" ? Math.log : (value: number) => value;
  const unbend = kind === "log" ? Math.exp : (value: number) => value;
  const width = bend(most) - bend(least);
  const even = (value: number) => (width > 0 ? (bend(value) - bend(least)) / width : 0.5);
  const place = kind === "quantile" ? (value: number) => rank(values, value) : even;
  const back = (at: number) =>
    kind === "quantile" ? atRank(values, at) : unbend(bend(least) + Math.min(1, Math.max(0, at)) * width);
  const clamp = (at: number) => Math.min(1, Math.max(0, at));
  return {
    kind,
    place: (cell) => (typeof cell === "number" && Number.isFinite(cell) ? place(cell) : null),
    ticks: ticksOf(values, kind).map((value) => ({ place: place(value), text: shortText(value) })),
    between: (low, high) => ({
      kind: "range",
      low: low <= 0 ? null : round(back(low)),
      high: high >= 1 ? null : round(back(high)),
      missing: false,
    }),
    pieces: (filter) => {
      if (filter.kind !== "range") return [];
      const low = filter.low === null ? 0 : clamp(place(filter.low));
      const high = filter.high === null ? 1 : clamp(place(filter.high));
      return Number.isNaN(low) || Number.isNaN(high) ? [] : [[low, high]];
    },
  };
}

/** The share of values below, interpolated linearly between neighbours. */
function rank(values: readonly number[], value: number): number {
  if (values.length < 2) return 0.5;
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return 0;
  if (low === values.length) return 1;
  const [before, after] = [values[low - 1]!, values[low]!];
  return (low - 1 + (value - before) / (after - before)) / (values.length - 1);
}

function atRank(values: readonly number[], at: number): number {
  const place = Math.min(1, Math.max(0, at)) * (values.length - 1);
  const before = Math.floor(place);
  const [low, high] = [values[before] ?? 0, values[Math.min(before + 1, values.length - 1)] ?? 0];
  return low + (high - low) * (place - before);
}

function ticksOf(values: readonly number[], kind: ScaleKind): readonly number[] {
  if (values.length <= FEW) return values;
  const [least, most] = [values[0]!, values.at(-1)!];
  if (kind === "quantile")
    return [0, 0.25, 0.5, 0.75, 1].map((at) => values[Math.round(at * (values.length - 1))]!);
  return (kind === "log" ? logTicks : linearTicks)(least, most, TICKS).values;
}

function shortText(value: number): string {
  const chosen = formatChosen(value);
  return chosen.length <= 7 ? chosen : formatValue(value, 3);
}

/** Rounds: a screen position has no more digits. */
function round(value: number): number {
  return Number(value.toPrecision(4));
}

function wordScale(words: readonly string[]): Scale {
  const places = new Map(words.map((word, at) => [word, (at + 0.5) / words.length]));
  const half = 0.5 / words.length;
  const every = Math.ceil(words.length / MAX_WORDS);
  return {
    kind: "words",
    place: (cell) => (cell === null ? null : (places.get(String(cell)) ?? null)),
    ticks: words.filter((_, at) => at % every === 0).map((text) => ({ place: places.get(text)!, text })),
    between: (low, high) => ({
      kind: "words",
      words: words.filter((word) => places.get(word)! >= low && places.get(word)! <= high),
      missing: false,
    }),
    pieces: (filter) => {
      if (filter.kind !== "words") return [];
      return joined(
        filter.words
          .flatMap((word) => places.get(word) ?? [])
          .toSorted((a, b) => a - b)
          .map((at) => [at - half, at + half] as const),
      );
    },
  };
}

/** Merges touching intervals. */
function joined(pieces: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const [low, high] of pieces) {
    const last = found.at(-1);
    if (last && low <= last[1] + 1e-9) last[1] = high;
    else found.push([low, high]);
  }
  return found;
}
