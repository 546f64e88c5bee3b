/** What the cells of the run table say. Measured and chosen numbers read the same in every language. */

import { formatChosen, formatStep, formatValue } from "../../base/number";
import { type Cell, type Column, cellOf, type MetricValues, spread } from "../../state/column";
import type { RunFacts, RunStatus } from "../../state/facts";
import { dateTime, duration } from "../../words/format";
import { say, type WordId } from "../../words/words";

const DIGITS = 4;
/** Members of a group differ. */
const DIFFER = "≠";

export const STATUS_WORDS: Record<RunStatus, WordId> = {
  running: "status.running",
  finished: "status.finished",
  failed: "status.failed",
  idle: "status.idle",
};

/** The text of a cell; empty where there is nothing to say. */
export function cellText(column: Column, cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "string")
    return column.kind === "info" && column.what === "status" ? say(STATUS_WORDS[cell as RunStatus]) : cell;
  if (column.kind === "metric") return measured(cell);
  if (column.kind === "config") return formatChosen(cell);
  if (column.what === "created") return dateTime(cell);
  if (column.what === "duration") return duration(cell);
  return formatStep(cell);
}

/** To four digits, with the zeros that keep a column even: 0.4100, 12.30. */
function measured(value: number): string {
  const short = formatValue(value, DIGITS);
  const size = Math.abs(value);
  if (!Number.isFinite(value) || Number.isInteger(value) || size < 1e-4 || size >= 10 ** DIGITS) return short;
  return value.toPrecision(DIGITS).replace("-", "\u2212");
}

/** The cell in full, for the tip: every digit. */
export function fullText(column: Column, cell: Cell): string {
  return typeof cell === "number" && column.kind !== "info" ? String(cell) : cellText(column, cell);
}

/** How a metric stands against that of the baseline: "+0.048"; empty where there is nothing to compare. */
export function difference(column: Column, cell: Cell, baseline: Cell): string {
  if (column.kind !== "metric" || typeof cell !== "number" || typeof baseline !== "number") return "";
  const apart = cell - baseline;
  if (apart === 0 || !Number.isFinite(apart)) return "";
  return `${apart > 0 ? "+" : ""}${formatValue(apart, 2)}`;
}

/** What the members of a group have in common, or how they spread. */
export interface GroupCell {
  text: string;
  /** Where the whole text has no room. */
  short: string;
  /** "± 0.034" beside a mean. */
  spread: string;
  full: string;
}

export function groupCell(column: Column, members: readonly RunFacts[], metrics: MetricValues): GroupCell {
  const cells = members.map((facts) => cellOf(column, facts, metrics));
  const first = cells[0] ?? null;
  if (cells.every((cell) => Object.is(cell, first)))
    return { ...plain(cellText(column, first)), full: fullText(column, first) };
  if (column.kind === "info" && column.what === "points") return plain(formatStep(sum(cells)));
  if (column.kind === "metric" || (column.kind === "info" && column.what === "duration")) {
    const found = spread(cells);
    if (!found) return plain("");
    const text = cellText(column, found.mean);
    if (column.kind === "info") return plain(text);
    const apart = formatValue(found.sd, 2);
    return {
      text,
      short: text,
      spread: `± ${apart}`,
      full: say("table.spread", { mean: String(found.mean), sd: String(found.sd), count: found.count }),
    };
  }
  if (column.kind === "info" && column.what === "step") return plain(formatStep(largest(cells)));
  const kinds = new Set(cells).size;
  return { ...plain(mixedText(kinds)), short: DIFFER };
}

export function mixedText(values: number): string {
  return say("table.mixed", { count: values });
}

const plain = (text: string): GroupCell => ({ text, short: text, spread: "", full: text });

function sum(cells: readonly Cell[]): number {
  return cells.reduce<number>((total, cell) => total + (typeof cell === "number" ? cell : 0), 0);
}

function largest(cells: readonly Cell[]): number {
  return cells.reduce<number>(
    (most, cell) => (typeof cell === "number" && cell > most ? cell : most),
    Number.NEGATIVE_INFINITY,
  );
}

/** The head of a column: what it is of, and which statistic if not the usual one. */
export interface HeadText {
  /** What several columns share: hyper-parameters, the section of a tag. */
  family: string;
  name: string;
  stat: string;
  full: string;
}

const STAT_WORDS = {
  last: "stat.last",
  best: "stat.best",
  min: "stat.min",
  max: "stat.max",
  mean: "stat.mean",
  first: "stat.first",
} as const satisfies Record<string, WordId>;

export function statWord(stat: keyof typeof STAT_WORDS): string {
  return say(STAT_WORDS[stat]);
}

const INFO_WORDS = {
  step: "runs.step",
  status: "info.status",
  created: "info.created",
  duration: "info.duration",
  points: "info.points",
  tags: "info.tags",
  note: "info.note",
} as const satisfies Record<string, WordId>;

/** `families`: what columns share is written over them, and their names need not say it. */
export function headText(column: Column, families = false): HeadText {
  switch (column.kind) {
    case "config":
      return { family: say("table.config"), name: column.key, stat: "", full: column.key };
    case "metric": {
      const slash = families ? column.tag.lastIndexOf("/") : -1;
      const stat = statWord(column.stat);
      return {
        family: column.tag.slice(0, Math.max(0, slash)) || say("table.metrics"),
        name: column.tag.slice(slash + 1),
        stat: column.stat === "last" ? "" : stat,
        full: `${column.tag} · ${stat}`,
      };
    }
    case "info": {
      const name = say(INFO_WORDS[column.what]);
      return { family: "", name, stat: "", full: name };
    }
  }
}
