/**
 * The language of the run filter: `big -old lr<5e-4 status:running eval/loss.min<0.5 "two words" /seed[0-3]/`. All
 * terms must hold; `-` turns one round; quotes keep odd names together. Pure: what columns there are comes with it.
 */

import {
  type Column,
  cellOf,
  configColumn,
  infoColumn,
  type Metric,
  type MetricValues,
  metricColumn,
  STATS,
} from "./column";
import type { RunFacts } from "./facts";
import { compile, type Pattern } from "./pattern";

/** Names a term may use. */
export interface Known {
  config: ReadonlySet<string>;
  tags: ReadonlySet<string>;
}

export interface Query {
  matches(facts: RunFacts, metrics: MetricValues): boolean;
  /** First part of a name that was asked for, as [start, end). */
  find(name: string): [number, number] | null;
  /** Columns whose values the terms compare. */
  metrics: readonly Metric[];
}

export const ALL_RUNS: Query = { matches: () => true, find: () => null, metrics: [] };

/** Why a query makes no sense; `about` is the part it stumbled over. */
export class QueryFault extends Error {
  readonly reason: "column" | "value" | "number" | "regex";
  readonly about: string;

  constructor(reason: QueryFault["reason"], about: string, message: string) {
    super(message);
    this.reason = reason;
    this.about = about;
  }
}

type Test = Query["matches"];

interface Term {
  test: Test;
  pattern?: Pattern;
  metric?: Metric;
}

const OPERATORS = ["<=", ">=", "!=", "==", "<", ">", "=", ":"] as const;
type Operator = Exclude<(typeof OPERATORS)[number], "==">;

/** Throws a QueryFault. A text that is one `/regular expression/` is that, spaces and all. */
export function parseQuery(text: string, known: Known): Query {
  const asked = text.trim();
  if (asked === "") return ALL_RUNS;
  const whole = asked.length > 2 && asked.startsWith("/") && asked.endsWith("/") && !asked.includes("/ ");
  const words = whole ? [asked] : split(asked);
  const terms = words.map((word) => signed(word, known));
  return {
    matches: (facts, metrics) => terms.every((term) => term.test(facts, metrics)),
    find: (name) => firstSpan(terms, name),
    metrics: terms.flatMap(({ metric }) => (metric ? [metric] : [])),
  };
}

function firstSpan(terms: readonly Term[], name: string): [number, number] | null {
  for (const { pattern } of terms) {
    const span = pattern?.find(name) ?? null;
    if (span) return span;
  }
  return null;
}

/** Words apart by spaces outside quotes, outside `/…/` and not beside an operator; quotes stay. */
function split(text: string): string[] {
  const words = text.match(
    /-?\/(?:\\.|[^/\\\s])*\/(?=\s|$)|(?:"[^"]*"?|'[^']*'?|\s*(?:[<>!=]=|[<>=:])\s*|[^\s"'])+/g,
  );
  return words?.map((word) => word.trim()) ?? [];
}

function signed(word: string, known: Known): Term {
  if (!word.startsWith("-") || word.length === 1) return termOf(word, known);
  // What is turned round is not marked and cannot be found in what is left.
  const { test, metric } = termOf(word.slice(1), known);
  return { test: (facts, metrics) => !test(facts, metrics), ...(metric && { metric }) };
}

function termOf(word: string, known: Known): Term {
  const cut = comparison(word);
  if (cut === null) return nameTerm(word);
  const [left, operator, right] = cut;
  const key = unquoted(left);
  const field = wordField(key, operator);
  const column = field ? null : columnNamed(key, known);
  if (!field && !column) {
    // Names of runs often look like this: lr=1e-3.
    if (operator === "=" || operator === ":") return nameTerm(word);
    throw new QueryFault("column", key, `no column ${key}`);
  }
  if (right === "") throw new QueryFault("value", word, `${word} lacks a value`);
  if (field) return { test: negated(operator, field(unquoted(right))) };
  return columnTerm(column!, operator, unquoted(right));
}

/** Left side, operator, right side at the first operator outside quotes. */
function comparison(word: string): [string, Operator, string] | null {
  let quote = "";
  for (let at = 0; at < word.length; at++) {
    const char = word[at]!;
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if (at > 0 && word[0] !== "/") {
      const operator = OPERATORS.find((each) => word.startsWith(each, at));
      if (operator)
        return [
          word.slice(0, at).trim(),
          operator === "==" ? "=" : operator,
          word.slice(at + operator.length).trim(),
        ];
    }
  }
  return null;
}

/** As a term that finds just this text in names, whatever signs are in it. */
export function quoted(text: string): string {
  if (/^[\p{L}\p{N}_./]+$/u.test(text) && !text.startsWith("/")) return text;
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*?)\1?$/, "$2");
}

function nameTerm(word: string): Term {
  const pattern = patternOf(unquoted(word));
  return { test: ({ name, label }) => pattern.matches(label) || pattern.matches(name), pattern };
}

function patternOf(text: string): Pattern {
  try {
    return compile(text);
  } catch (fault) {
    const why = fault instanceof Error ? fault.message : String(fault);
    // Browsers repeat the whole expression before the reason.
    throw new QueryFault("regex", text, why.split(": ").at(-1) ?? why);
  }
}

/** Tests of the fields that are words, by what is asked of them. */
const WORD_FIELDS: Record<string, (asked: Pattern) => (facts: RunFacts) => boolean> = {
  name: (asked) => (facts) => asked.matches(facts.name) || asked.matches(facts.label),
  tag: (asked) => (facts) => facts.tags.some((tag) => asked.matches(tag)),
  note: (asked) => (facts) => asked.matches(facts.note),
  group: (asked) => (facts) => facts.groups.some((group) => asked.matches(group)),
};

/** Other words for a state of a run. */
const STATUS_WORDS: Record<string, readonly string[]> = {
  running: ["running", "live"],
  finished: ["finished", "done", "success", "ok"],
  failed: ["failed", "failure", "crashed", "error"],
  idle: ["idle", "ended", "stopped"],
};

function wordField(key: string, operator: Operator): ((text: string) => (facts: RunFacts) => boolean) | null {
  if (!"=:!=".includes(operator)) return null;
  const name = key.toLowerCase();
  if (name === "status")
    return (text) => (facts) =>
      STATUS_WORDS[facts.status]!.some((word) => word.startsWith(text.toLowerCase()));
  const field = WORD_FIELDS[name];
  return field && Object.hasOwn(WORD_FIELDS, name) ? (text) => field(patternOf(text)) : null;
}

function negated(operator: Operator, test: (facts: RunFacts) => boolean): Test {
  return operator === "!=" ? (facts) => !test(facts) : test;
}

/** The column a term means: a config key, `tag.stat`, a tag, or the end of just one tag. */
export function columnNamed(name: string, known: Known): Column | null {
  const key = found(name, known.config);
  if (key !== null) return configColumn(key);
  const dot = name.lastIndexOf(".");
  const stat = STATS.find((each) => each === name.slice(dot + 1).toLowerCase());
  if (dot > 0 && stat) {
    const tag = tagNamed(name.slice(0, dot), known.tags);
    if (tag !== null) return metricColumn(tag, stat);
  }
  const info = (["step", "created", "duration", "points"] as const).find(
    (each) => each === name.toLowerCase(),
  );
  if (info && !known.tags.has(name)) return infoColumn(info);
  const tag = tagNamed(name, known.tags);
  return tag === null ? null : metricColumn(tag, "last");
}

function found(name: string, names: ReadonlySet<string>): string | null {
  if (names.has(name)) return name;
  const small = name.toLowerCase();
  for (const each of names) if (each.toLowerCase() === small) return each;
  return null;
}

function tagNamed(name: string, tags: ReadonlySet<string>): string | null {
  const whole = found(name, tags);
  if (whole !== null) return whole;
  const end = `/${name.toLowerCase()}`;
  const ending = [...tags].filter((tag) => tag.toLowerCase().endsWith(end));
  return ending.length === 1 ? ending[0]! : null;
}

function columnTerm(column: Column, operator: Operator, text: string): Term {
  const holds =
    operator === "=" || operator === ":" || operator === "!=" ? equal(text) : ordered(operator, text, column);
  const test: Test = (facts, metrics) => {
    const cell = cellOf(column, facts, metrics);
    return cell !== null && holds(cell) !== (operator === "!=");
  };
  return column.kind === "metric" ? { test, metric: column } : { test };
}

/** How far numbers may lie apart and still be the ones written: files often hold them in single precision. */
const SAME = 1e-6;

/** One of several values apart by commas, or the text itself. */
function equal(text: string): (cell: number | string) => boolean {
  const words = new Set([text, ...text.split(",")].map((word) => word.trim().toLowerCase()));
  const numbers = [...words].map(Number).filter((number) => !Number.isNaN(number));
  // As words too: nothing is near NaN, and runs that diverged are what people look for.
  return (cell) =>
    words.has(String(cell).toLowerCase()) ||
    (typeof cell === "number" &&
      numbers.some((number) => Math.abs(cell - number) <= SAME * Math.abs(number)));
}

function ordered(operator: Operator, text: string, column: Column): (cell: number | string) => boolean {
  const limit = limitOf(text, column);
  if (limit === null) throw new QueryFault("number", text, `${text} is no number`);
  return (cell) => {
    if (typeof cell !== "number") return false;
    switch (operator) {
      case "<":
        return cell < limit && !near(cell, limit);
      case ">":
        return cell > limit && !near(cell, limit);
      case "<=":
        return cell <= limit || near(cell, limit);
      default:
        return cell >= limit || near(cell, limit);
    }
  };
}

const near = (a: number, b: number) => Math.abs(a - b) <= SAME * Math.abs(b);

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** A number; a date where the column is a time; 90s, 5m, 1.5h, 2d where it is a duration. */
function limitOf(text: string, column: Column): number | null {
  const info = column.kind === "info" ? column.what : null;
  if (info === "created") {
    const time = Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text);
    return Number.isNaN(time) ? null : time / 1000;
  }
  const [, amount, unit] = (info === "duration" && /^(.*\d)([smhd])$/.exec(text)) || [];
  const value = unit ? Number(amount) * SECONDS[unit]! : Number(text);
  return text === "" || Number.isNaN(value) ? null : value;
}
