/** What the cells of the run table say. Measured and chosen numbers read the same in every language. */

import { formatChosen, formatStep, formatValue } from "../../base/number";
import { type Cell, type Column, cellOf, type MetricValues, type Spread, spread } from "../../state/column";
import { type RunFacts, type ShownStatus, shownStatus } from "../../state/facts";
import { lostText, someLostText } from "../../state/lost";
import { dateTime, duration } from "../../words/format";
import { say, type WordId } from "../../words/words";

const DIGITS = 4;
/** Members of a group differ. */
const DIFFER = "≠";

const STATUS_WORDS: Record<ShownStatus, WordId> = {
  running: "status.running",
  finished: "status.finished",
  failed: "status.failed",
  idle: "status.idle",
  diverged: "status.diverged",
};

/** "NaN from step 3 310" of a run that ended so, else the word for its state. */
export function statusText(facts: RunFacts): string {
  const status = shownStatus(facts);
  return status === "diverged" && facts.lost !== null ? lostText(facts.lost) : say(STATUS_WORDS[status]);
}

/** The text of a cell; empty where there is nothing to say. */
export function cellText(column: Column, cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "string")
    return column.kind === "info" && column.what === "status" ? say(STATUS_WORDS[cell as ShownStatus]) : cell;
  if (column.kind === "metric") return formatValue(cell, DIGITS, true);
  if (column.kind === "config") return formatChosen(cell);
  if (column.what === "created") return dateTime(cell);
  if (column.what === "duration") return duration(cell);
  return formatStep(cell);
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
  /** "± 0.034" beside a mean; "1 of 3 (2 NaN)" where members have values that are no numbers. */
  spread: string;
  /** Some members are not in the value. */
  lost: boolean;
  full: string;
}

export function groupCell(column: Column, members: readonly RunFacts[], metrics: MetricValues): GroupCell {
  const cells = members.map((facts) => cellOf(column, facts, metrics));
  const first = cells[0] ?? null;
  if (cells.every((cell) => Object.is(cell, first)))
    return {
      ...plain(cellText(column, first)),
      lost: column.kind === "metric" && Number.isNaN(first),
      full: fullText(column, first),
    };
  if (column.kind === "info" && column.what === "points") return plain(formatStep(sum(cells)));
  if (column.kind === "metric" || (column.kind === "info" && column.what === "duration")) {
    const found = spread(cells);
    if (!found) return plain("");
    const text = cellText(column, found.mean);
    if (column.kind === "info") return plain(text);
    const { mean, sd, count, lost } = found;
    const several = say("table.spread", { mean: String(mean), sd: String(sd), count });
    const some = someText(found, cells);
    return {
      text,
      short: text,
      // One value does not spread, and several of which others are missing are not all.
      spread: some || (count > 1 ? `± ${formatValue(sd, 2)}` : ""),
      lost: lost > 0,
      full: [count > 0 ? several : text, some].filter(Boolean).join(" · "),
    };
  }
  if (column.kind === "info" && column.what === "step") return plain(formatStep(largest(cells)));
  const kinds = new Set(cells).size;
  return { ...plain(mixedText(kinds)), short: DIFFER };
}

export function mixedText(values: number): string {
  return say("table.mixed", { count: values });
}

/** "1 of 3 (2 NaN)"; empty where every value is a number. */
function someText({ count, lost }: Spread, cells: readonly Cell[]): string {
  if (lost === 0) return "";
  const others = cells.filter((cell) => typeof cell === "number" && !Number.isFinite(cell));
  const value = others.find(Number.isNaN) ?? others[0];
  return someLostText(count, lost, Number(value));
}

const plain = (text: string): GroupCell => ({ text, short: text, spread: "", lost: false, full: text });

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
