/** Texts of the cells of the run table. Measured and chosen numbers read the same in every language. */

import { count, dateTime, duration } from "../../i18n/format";
import { say, type WordId } from "../../i18n/words";
import { formatChosen, formatStep, formatValue } from "../../lib/number";
import {
  type Cell,
  type Column,
  cellOf,
  isText,
  type MetricValues,
  type Spread,
  spread,
} from "../runs/column";
import { nonfiniteText, partlyNonfiniteText } from "../runs/nonfinite-metrics";
import { type RunDetails, type ShownStatus, shownStatus } from "../runs/run-details";

const DIGITS = 4;
/** Shown if members of a group differ. */
const DIFFER = "≠";

const STATUS_WORDS: Record<ShownStatus, WordId> = {
  running: "status.running",
  finished: "status.finished",
  failed: "status.failed",
  idle: "status.idle",
  diverged: "status.diverged",
};

/** "NaN from step 3 310" for a run that diverged, otherwise its status. */
export function statusText(details: RunDetails): string {
  const status = shownStatus(details);
  return status === "diverged" && details.nonfinite !== null
    ? nonfiniteText(details.nonfinite)
    : say(STATUS_WORDS[status]);
}

/** The text of a cell; empty if there is no value. */
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

/** The full text for the tooltip: every digit. */
export function fullText(column: Column, cell: Cell): string {
  return typeof cell === "number" && column.kind !== "info" ? String(cell) : cellText(column, cell);
}

/** The difference of a metric from that of the baseline: "+0.048"; empty if one is missing. */
export function difference(column: Column, cell: Cell, baseline: Cell): string {
  if (column.kind !== "metric" || typeof cell !== "number" || typeof baseline !== "number") return "";
  const apart = cell - baseline;
  if (apart === 0 || !Number.isFinite(apart)) return "";
  return `${apart > 0 ? "+" : ""}${formatValue(apart, 2)}`;
}

/** The common value of the members of a group, or their spread. */
export interface GroupCell {
  text: string;
  /** The short form, if the whole text does not fit. */
  short: string;
  /** "± 0.034" beside a mean; "1 of 3 (2 NaN)" if members are non-finite. */
  spread: string;
  /** "1/3" instead of that, where there is no room for it. */
  shortSpread: string;
  /** Some members are not in the value. */
  nonfinite: boolean;
  full: string;
}

/** The members of a group whose metrics end in a non-finite value. */
export function divergedOf(members: readonly RunDetails[]): readonly RunDetails[] {
  return members.filter(({ nonfinite }) => nonfinite !== null);
}

/** "8 of 30 runs diverged"; empty if none did. */
export function divergedText(members: readonly RunDetails[]): string {
  const { length } = divergedOf(members);
  return length === 0 ? "" : say("group.diverged", { count: length, all: members.length });
}

export function groupCell(column: Column, members: readonly RunDetails[], metrics: MetricValues): GroupCell {
  const cells = members.map((details) => cellOf(column, details, metrics));
  const first = cells[0] ?? null;
  if (cells.every((cell) => Object.is(cell, first)))
    return {
      ...plain(cellText(column, first)),
      nonfinite: column.kind === "metric" && Number.isNaN(first),
      full: fullText(column, first),
    };
  if (column.kind === "info" && column.what === "points") return plain(formatStep(sum(cells)));
  if (column.kind === "info" && column.what === "status") return plain(statusCounts(members));
  if (column.kind === "info" && column.what === "created") return plain(rangeText(column, cells));
  if (column.kind === "metric" || (column.kind === "info" && column.what === "duration")) {
    const found = spread(cells);
    if (!found) return plain("");
    const text = cellText(column, found.mean);
    if (column.kind === "info") return plain(text);
    const { mean, sd, count: values, nonfinite } = found;
    const several = say("table.spread", { mean: String(mean), sd: String(sd), count: values });
    const some = someText(found, cells);
    // A single value has no spread.
    const apart = values > 1 ? `± ${formatValue(sd, 2)}` : "";
    return {
      text,
      short: text,
      // Incomplete values show their count instead.
      spread: some || apart,
      shortSpread: some ? `${count(values)}/${count(values + nonfinite)}` : apart,
      nonfinite: nonfinite > 0,
      // A run that diverged in one metric may look sound in another, such as an accuracy that dropped.
      full: [values > 0 ? several : text, some || divergedText(members)].filter(Boolean).join(" · "),
    };
  }
  if (column.kind === "info" && column.what === "step") return plain(formatStep(largest(cells)));
  const range = column.kind === "config" && !isText(column, cells) ? rangeText(column, cells) : "";
  const mixed = mixedText(new Set(cells).size);
  return { ...plain(range || mixed), short: DIFFER, full: [mixed, range].filter(Boolean).join(": ") };
}

/** "Finished 22, Ended in NaN 8", the most frequent first. */
export function statusCounts(members: readonly RunDetails[]): string {
  const counts = new Map<ShownStatus, number>();
  for (const status of members.map(shownStatus)) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([status, runs]) => `${say(STATUS_WORDS[status])} ${count(runs)}`)
    .join(", ");
}

/** "256 – 512": the least and the greatest number. Empty if there is none. */
export function rangeText(column: Column, cells: readonly Cell[]): string {
  const numbers = cells.filter((cell) => typeof cell === "number");
  if (numbers.length === 0) return "";
  const least = cellText(
    column,
    numbers.reduce((a, b) => Math.min(a, b)),
  );
  const most = cellText(
    column,
    numbers.reduce((a, b) => Math.max(a, b)),
  );
  return least === most ? least : `${least} – ${most}`;
}

export function mixedText(values: number): string {
  return say("table.mixed", { count: values });
}

/** "1 of 3 (2 NaN)"; empty where every value is a number. */
function someText({ count, nonfinite }: Spread, cells: readonly Cell[]): string {
  if (nonfinite === 0) return "";
  const others = cells.filter((cell) => typeof cell === "number" && !Number.isFinite(cell));
  const value = others.find(Number.isNaN) ?? others[0];
  return partlyNonfiniteText(count, nonfinite, Number(value));
}

const plain = (text: string): GroupCell => ({
  text,
  short: text,
  spread: "",
  shortSpread: "",
  nonfinite: false,
  full: text,
});

function sum(cells: readonly Cell[]): number {
  return cells.reduce<number>((total, cell) => total + (typeof cell === "number" ? cell : 0), 0);
}

function largest(cells: readonly Cell[]): number {
  return cells.reduce<number>(
    (most, cell) => (typeof cell === "number" && cell > most ? cell : most),
    Number.NEGATIVE_INFINITY,
  );
}

/** The header of a column: its name, and the statistic if it is not the default. */
export interface HeadText {
  /** What several columns share: hyperparameters, the section of a tag. */
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

/**
 * `families`: shared parts are written above the columns, so that names leave them out. `absent`: no run has such a
 * metric.
 */
export function headText(column: Column, families = false, absent = false): HeadText {
  switch (column.kind) {
    case "config":
      return { family: say("table.config"), name: column.key, stat: "", full: column.key };
    case "metric": {
      const slash = families ? column.tag.lastIndexOf("/") : -1;
      const stat = statWord(column.stat);
      return {
        family: column.tag.slice(0, Math.max(0, slash)) || say("table.metrics"),
        name: column.tag.slice(slash + 1),
        stat: absent ? `· ${say("table.notLogged")}` : column.stat === "last" ? "" : stat,
        full: `${column.tag} · ${stat}`,
      };
    }
    case "info": {
      const name = say(INFO_WORDS[column.what]);
      return { family: "", name, stat: "", full: name };
    }
  }
}
