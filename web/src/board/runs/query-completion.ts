/**
 * What the run filter offers while a term is typed: hyperparameters, metrics, fields and runs by their names, then
 * operators, then values. Pure; loaded when the box has the focus.
 */

import { match, NO_MATCH, scoreOf } from "../../lib/fuzzy";
import { memoize } from "../../lib/memoize";
import { naturalOrder } from "../../lib/natural-order";
import { formatChosen } from "../../lib/number";
import { STATS } from "./column";
import { directionOf } from "./direction";
import {
  comparison,
  EQUALITY,
  OPERATORS,
  type QueryNames,
  quoteTerm,
  STATUS_WORDS,
  unquoted,
  WORD_FIELDS,
} from "./query";
import { type RunDetails, shownStatus } from "./run-details";

export type CompletionKind = "config" | "tag" | "field" | "run" | "operator" | "value";

export interface Completion {
  kind: CompletionKind;
  /** What stands in the list. */
  text: string;
  /** What replaces the typed text. */
  insert: string;
  /** The number of runs that have a value. */
  runs?: number;
  /** The part of the text that was typed, as [start, end). */
  span: readonly [number, number] | null;
}

/** Offers for the text in [from, to). */
export interface Completions {
  from: number;
  to: number;
  items: readonly Completion[];
}

const MOST = 8;
/** Runs are in the table below as well, so they leave room for the rest. */
const MOST_RUNS = 3;
const NUMBER_FIELDS = ["step", "created", "duration", "points"] as const;
const NONE: Completions = { from: 0, to: 0, items: [] };

/** `asked`: offer columns although nothing is typed at the cursor. `first`: columns that are offered first then. */
export function completionsAt(
  text: string,
  cursor: number,
  names: QueryNames,
  runs: readonly RunDetails[],
  first: readonly string[] = [],
  asked = false,
): Completions {
  const start = termStart(text, cursor);
  const minus = text[start] === "-" ? 1 : 0;
  const from = start + minus;
  const typed = text.slice(from, cursor);
  if (typed.startsWith("/") || (typed === "" && minus === 0 && !asked)) return NONE;
  const parts = listParts(typed) ?? comparison(typed);
  if (parts) {
    const [left, operator, right] = parts;
    const value = right.slice(right.lastIndexOf(",") + 1).trimStart();
    const items = valuesOf(unquoted(left), operator, unquoted(value), names, runs);
    return { from: cursor - value.length, to: partEnd(text, cursor, /[\s,)\]]/), items };
  }
  const wanted = unquoted(typed);
  const items = [
    ...operatorsFor(wanted, names),
    ...columnsLike(wanted, names, runs, first),
    ...runsLike(wanted, runs),
  ];
  return { from, to: partEnd(text, cursor, /\s/), items: items.slice(0, MOST) };
}

/** Where the term at the cursor starts: after a space that is not in quotes, beside an operator or in a list. */
function termStart(text: string, cursor: number): number {
  const before = text.slice(0, cursor);
  const list = /\S+\s+(?:not\s+)?in\s*[([][^)\]]*$/i.exec(before);
  if (list) return list.index;
  let start = 0;
  let quote = "";
  for (let at = 0; at < cursor; at++) {
    const char = text[at]!;
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (/\s/.test(char) && !continues(text.slice(start, at), text.slice(at, cursor))) start = at + 1;
  }
  return start;
}

/** A term goes on over spaces after an operator or the comma of a list, and before an operator. */
function continues(term: string, after: string): boolean {
  return (
    (/[<>=:,]\s*$/.test(term) && comparison(term) !== null) || (term !== "" && /^\s+[<>=!:]/.test(after))
  );
}

/** The column, operator and values of an open list: `opt in (adam, l`. */
function listParts(typed: string): ReturnType<typeof comparison> {
  const [, left, values] = /^(.+?)\s+(?:not\s+)?in\s*[([]([^)\]]*)$/i.exec(typed) ?? [];
  return left === undefined ? null : [left, "=", values!];
}

function partEnd(text: string, cursor: number, ends: RegExp): number {
  const rest = text.slice(cursor);
  const end = rest.search(ends);
  return end < 0 ? text.length : cursor + end;
}

/** The operators of a column that is typed whole, and the statistics of a metric. */
function operatorsFor(name: string, { config, tags }: QueryNames): Completion[] {
  const isTag = tags.has(name);
  if (!isTag && !config.has(name) && !NUMBER_FIELDS.some((field) => field === name)) return [];
  const likely = isTag ? likelyOperator(name) : "=";
  const operators = [likely, ...OPERATORS.filter((each) => each !== likely && each !== "==" && each !== ":")];
  const stats = isTag ? STATS.filter((stat) => stat !== "last").map((stat) => `.${stat}`) : [];
  return [...operators.slice(0, isTag ? 2 : MOST), ...stats].map((end) => ({
    kind: "operator",
    text: `${name}${end}`,
    insert: `${quotedName(name)}${end}`,
    span: null,
  }));
}

function likelyOperator(tag: string): "<" | ">" {
  return directionOf(tag) === "up" ? ">" : "<";
}

/** Names with spaces or operators need quotes. */
function quotedName(name: string): string {
  return /[\s<>=!:"']/.test(name) ? quoteTerm(name) : name;
}

function columnsLike(
  typed: string,
  { config, tags }: QueryNames,
  runs: readonly RunDetails[],
  first: readonly string[],
): Completion[] {
  const hasNumbers = numericKeys(runs);
  const columns = [
    ...[...config].map((name) => ({ name, kind: "config" as const, end: hasNumbers.has(name) ? "<" : "=" })),
    ...[...tags].map((name) => ({ name, kind: "tag" as const, end: likelyOperator(name) })),
    ...["status", ...Object.keys(WORD_FIELDS)].map((name) => ({ name, kind: "field" as const, end: ":" })),
    ...NUMBER_FIELDS.map((name) => ({ name, kind: "field" as const, end: ">" })),
  ];
  const rank = new Map(first.map((name, at) => [name, at]));
  return columns
    .filter(({ name }) => name !== typed)
    .flatMap((column) => {
      const score = scoreOf(column.name.toLowerCase(), typed.toLowerCase());
      return score === NO_MATCH ? [] : [{ ...column, score }];
    })
    .sort(
      (a, b) => b.score - a.score || (rank.get(a.name) ?? first.length) - (rank.get(b.name) ?? first.length),
    )
    .slice(0, MOST)
    .map(({ name, kind, end }) => ({
      kind,
      text: `${name}${end}`,
      insert: `${quotedName(name)}${end}`,
      span: spanOf(name, typed),
    }));
}

/** Hyperparameters with more values than one would choose from. */
const numericKeys = memoize((runs: readonly RunDetails[]): ReadonlySet<string> => {
  const values = new Map<string, Set<number>>();
  for (const { config } of runs)
    for (const [key, value] of Object.entries(config)) {
      if (typeof value !== "number") continue;
      const found = values.get(key);
      if (found) found.add(value);
      else values.set(key, new Set([value]));
    }
  return new Set([...values].flatMap(([key, found]) => (found.size > MOST ? [key] : [])));
});

function spanOf(text: string, typed: string): readonly [number, number] | null {
  return typed === "" ? null : (match(text, typed)?.span ?? null);
}

/** Runs whose names contain the text. */
function runsLike(typed: string, runs: readonly RunDetails[]): Completion[] {
  const wanted = typed.toLowerCase();
  const found: Completion[] = [];
  if (wanted === "") return found;
  for (const { label } of runs) {
    if (found.length === MOST_RUNS) break;
    if (label !== typed && label.toLowerCase().includes(wanted) && found.at(-1)?.text !== label)
      found.push({ kind: "run", text: label, insert: quoteTerm(label), span: spanOf(label, typed) });
  }
  return found;
}

/** The values of a column that contain the text, with the number of runs that have each. */
function valuesOf(
  column: string,
  operator: string,
  typed: string,
  { config }: QueryNames,
  runs: readonly RunDetails[],
): Completion[] {
  const field = column.toLowerCase();
  const isEquality = EQUALITY.some((each) => each === operator);
  if (config.has(column)) return counted(typed, runs, ({ config: values }) => [textOf(values[column])]);
  if (!isEquality) return [];
  if (field === "status") return counted(typed, runs, (run) => [STATUS_WORDS[shownStatus(run)][0]!]);
  if (field === "tag") return counted(typed, runs, ({ tags }) => tags);
  if (field === "group") return counted(typed, runs, ({ groups }) => groups);
  return field === "name" ? runsLike(typed, runs) : [];
}

function counted(
  typed: string,
  runs: readonly RunDetails[],
  valuesOfRun: (run: RunDetails) => readonly (string | null)[],
): Completion[] {
  const found = new Map<string, number>();
  for (const run of runs)
    for (const value of valuesOfRun(run)) if (value !== null) found.set(value, (found.get(value) ?? 0) + 1);
  return [...found]
    .filter(([value]) => value !== typed && value.toLowerCase().includes(typed.toLowerCase()))
    .sort(([a], [b]) => Number(a) - Number(b) || naturalOrder(a, b))
    .slice(0, MOST)
    .map(([value, count]) => ({
      kind: "value",
      text: value,
      insert: /[\s,"']/.test(value) ? quoteTerm(value) : value,
      runs: count,
      span: spanOf(value, typed),
    }));
}

/** As tables show the value, unless that is another number. */
function textOf(value: number | string | boolean | undefined): string | null {
  if (value === undefined) return null;
  if (typeof value !== "number") return String(value);
  const short = formatChosen(value).replace("\u2212", "-");
  return Math.abs(Number(short) - value) <= 1e-6 * Math.abs(value) ? short : String(value);
}
