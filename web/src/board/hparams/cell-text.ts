/** Texts of cells and headers of trials. Numbers read the same in every language. */

import type { HyperParameter, TrialMetric } from "../../api/schema.gen";
import { dateTime } from "../../i18n/format";
import { say, type WordId } from "../../i18n/words";
import { formatChosen, formatValue } from "../../lib/number";
import { partName } from "../runs/card-lines";
import type { Cell, Stat } from "../runs/column";
import type { ShownStatus } from "../runs/run-details";
import { shortGroup, type TrialColumn } from "./trial-column";

const DIGITS = 4;
/** Numbers with more characters than this were sampled rather than chosen. */
const LONGEST = 7;

const STATUS_WORDS: Record<ShownStatus, WordId> = {
  running: "status.running",
  finished: "status.finished",
  failed: "status.failed",
  idle: "status.idle",
  diverged: "status.diverged",
};

const STAT_WORDS: Record<Stat, WordId> = {
  last: "stat.last",
  best: "stat.best",
  min: "stat.min",
  max: "stat.max",
  mean: "stat.mean",
  first: "stat.first",
};

const INFO_WORDS = {
  status: "info.status",
  session: "trials.session",
  created: "info.created",
} as const satisfies Record<string, WordId>;

/** Empty if there is no value. */
export function cellText(column: TrialColumn, cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "string") {
    if (column.kind !== "info") return cell;
    return column.what === "status" ? say(STATUS_WORDS[cell as ShownStatus]) : shortGroup(cell);
  }
  if (column.kind === "metric") return formatValue(cell, DIGITS, true);
  return column.kind === "config" ? chosen(cell) : dateTime(cell);
}

/** A number as one would write it; the first digits of a sampled one. */
function chosen(value: number): string {
  const text = formatChosen(value);
  return text.length <= LONGEST ? text : formatChosen(Number(value.toPrecision(DIGITS)));
}

/** With every digit. */
export function fullText(column: TrialColumn, cell: Cell): string {
  return typeof cell === "number" && column.kind !== "info" ? String(cell) : cellText(column, cell);
}

export interface HeadText {
  name: string;
  /** The group of a metric, and its statistic unless that is the last value. */
  more: string;
  /** For the tooltip: its own name and its description. */
  full: string;
}

interface Described {
  parameters: readonly HyperParameter[];
  metrics: readonly TrialMetric[];
}

export function headText(column: TrialColumn, { parameters, metrics }: Described): HeadText {
  switch (column.kind) {
    case "config": {
      const found = parameters.find(({ name }) => name === column.key);
      const name = found?.display_name || column.key;
      return { name, more: "", full: lines(name, column.key, found?.description) };
    }
    case "metric": {
      const found = metrics.find(({ group, tag }) => group === column.group && tag === column.tag);
      const name = found?.display_name || column.tag;
      const stat = statWord(column.stat);
      const place = column.group === "" ? column.tag : `${column.group} · ${column.tag}`;
      const shown = found?.display_name ? "" : partName(column.tag, column.group);
      return {
        name,
        more: [shown, column.stat === "last" ? "" : stat].filter((part) => part !== "").join(" · "),
        full: `${lines(name, place, found?.description)}\n${stat}`,
      };
    }
    case "info": {
      const name = say(INFO_WORDS[column.what]);
      return { name, more: "", full: name };
    }
  }
}

export function statWord(stat: Stat): string {
  return say(STAT_WORDS[stat]);
}

/** The header in one line. */
export function oneLine({ name, more }: HeadText): string {
  return more === "" ? name : `${name} · ${more}`;
}

function lines(...parts: readonly (string | undefined)[]): string {
  return [...new Set(parts.filter((part) => part !== undefined && part !== ""))].join("\n");
}
