/**
 * Parses the run filter: `big -old lr<5e-4 opt:adam,sgd eval/loss.min<0.5 OR "two words" /seed[0-3]/`. All terms must
 * match, or all of those on one side of an OR; `-` or NOT negates a term; quotes keep names with spaces together.
 * AND, OR and NOT are accepted because people know them from other languages; there are no brackets. Pure: the
 * available columns are passed in.
 */

import { compile, type Pattern } from "../../lib/pattern";
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
import { type RunDetails, type ShownStatus, shownStatus } from "./run-details";

/** Names a term may use. */
export interface QueryNames {
  config: ReadonlySet<string>;
  tags: ReadonlySet<string>;
}

export interface Query {
  matches(details: RunDetails, metrics: MetricValues): boolean;
  /** The first part of a name that a term matched, as [start, end). */
  find(name: string): [number, number] | null;
  /** Columns whose values the terms compare. */
  metrics: readonly Metric[];
}

export const ALL_RUNS: Query = { matches: () => true, find: () => null, metrics: [] };

/** An invalid query; `about` is the part that caused it. */
export class QueryError extends Error {
  readonly reason: "column" | "value" | "number" | "regex" | "brackets" | "comparison";
  readonly about: string;

  constructor(reason: QueryError["reason"], about: string, message: string) {
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

export const OPERATORS = ["<=", ">=", "!=", "==", "<", ">", "=", ":"] as const;
type Operator = (typeof OPERATORS)[number];

/** Operators whose right side may be a list. */
export const EQUALITY: readonly Operator[] = ["=", ":", "==", "!="];

/** Throws a QueryError. A text that is one `/regular expression/` is taken whole, including its spaces. */
export function parseQuery(text: string, known: QueryNames): Query {
  const trimmed = text.trim();
  if (trimmed === "") return ALL_RUNS;
  const either = isWholeExpression(trimmed)
    ? [[termOf(trimmed, known)]]
    : alternatives(withLists(split(trimmed)), known);
  if (either.length === 0) return ALL_RUNS;
  const terms = either.flat();
  return {
    matches: (details, metrics) => either.some((all) => all.every((term) => term.test(details, metrics))),
    find: (name) => firstSpan(terms, name),
    metrics: terms.flatMap(({ metric }) => (metric ? [metric] : [])),
  };
}

/** The filter with one more term, which must match on each side of an OR as well. */
export function withTerm(text: string, term: string): string {
  const trimmed = text.trim();
  if (isWholeExpression(trimmed)) return `${trimmed.replaceAll(" ", "\\s")} ${term}`;
  const words = split(trimmed);
  const compares = words.some((word) => comparison(word) !== null);
  const isOr = (word: string) =>
    JOINTS.get(word.toLowerCase()) === "or" && (isCapitalJoint(word) || compares);
  return [...words.flatMap((word) => (isOr(word) ? [term, word] : [word])), term].join(" ");
}

/** The last word of a filter, if it is a part of a column's name that is not compared with anything yet: `eval/lo`. */
export interface UnfinishedTerm {
  term: string;
  /** The filter before it. */
  rest: string;
}

export function unfinishedTerm(text: string, { config, tags }: QueryNames): UnfinishedTerm | null {
  const words = split(text.trim());
  const last = words.at(-1) ?? "";
  const isPlain = /^-?[^-/"']/.test(last) && comparison(last) === null && !isCapitalJoint(last);
  if (!isPlain || words.at(-2)?.endsWith(",")) return null;
  const term = last.replace(/^-/, "");
  const small = term.toLowerCase();
  const isPart = [...config, ...tags].some((name) => name.toLowerCase().includes(small));
  return isPart ? { term, rest: text.slice(0, text.lastIndexOf(last)) } : null;
}

/** Whether a text is one `/regular expression/`. */
function isWholeExpression(text: string): boolean {
  return text.length > 2 && text.startsWith("/") && text.endsWith("/") && !text.includes("/ ");
}

function firstSpan(terms: readonly Term[], name: string): [number, number] | null {
  for (const { pattern } of terms) {
    const span = pattern?.find(name) ?? null;
    if (span) return span;
  }
  return null;
}

/** Splits at spaces, except in quotes, in `/…/`, in `in (…)` and beside an operator. Quotes are kept. */
function split(text: string): string[] {
  const words = text.match(
    /-?\/(?:\\.|[^/\\\s])*\/(?=\s|$)|(?:"[^"]*"?|'[^']*'?|\s+(?:not\s+)?in\s*(?:\([^)]*\)|\[[^\]]*\])|\s*(?:[<>!=]=|[<>=:])\s*|[^\s"'])+/gi,
  );
  return words?.map((word) => word.trim()) ?? [];
}

/** Joins lists: `opt:adam, sgd` is one word; in `opt:adam, lr<1` the comma separates two. */
function withLists(words: readonly string[]): string[] {
  const whole: string[] = [];
  for (const word of words) {
    const before = whole.at(-1);
    const goes = before !== undefined && (before.endsWith(",") || word.startsWith(",")) && isList(before);
    if (goes && comparison(word) === null && !isCapitalJoint(word)) whole.push(`${whole.pop()}${word}`);
    else whole.push(word);
  }
  return whole.map((word) => (comparison(word) ? word.replace(/,$/, "") : word));
}

function isList(word: string): boolean {
  const cut = comparison(word);
  return cut !== null && EQUALITY.includes(cut[1]);
}

const JOINTS = new Map([
  ["and", "and"],
  ["&&", "and"],
  ["or", "or"],
  ["||", "or"],
  ["not", "not"],
]);

const isCapitalJoint = (word: string) => word === word.toUpperCase() && JOINTS.has(word.toLowerCase());

/** Alternatives, each a list of terms that must all match. */
function alternatives(words: readonly string[], known: QueryNames): Term[][] {
  // Names may contain "and": in lower case it joins only if something is compared, and never alone.
  const compares = words.some((word) => comparison(word) !== null);
  const isJoint = (word: string) =>
    words.length > 1 && (isCapitalJoint(word) || (compares && JOINTS.has(word.toLowerCase())));
  if (words.some(isJoint)) words.forEach(refuseBrackets);
  const either: Term[][] = [[]];
  let turned = false;
  for (const word of words) {
    const joint = isJoint(word) ? JOINTS.get(word.toLowerCase()) : null;
    if (joint === "or") either.push([]);
    else if (joint === "not") turned = !turned;
    else if (!joint) {
      const term = signed(word, known);
      either.at(-1)!.push(turned ? negateTerm(term) : term);
      turned = false;
    }
  }
  // While the user types, nothing follows the last OR.
  return either.filter((all) => all.length > 0);
}

/** Rejects a bracket that is not part of a name: it was meant to group terms. */
function refuseBrackets(word: string): void {
  if (/^-?\(/.test(word) && (!word.includes(")") || comparison(word) !== null))
    throw new QueryError("brackets", word, "brackets do not group terms");
}

function signed(word: string, known: QueryNames): Term {
  if (!word.startsWith("-") || word.length === 1) return termOf(word, known);
  return negateTerm(termOf(word.slice(1), known));
}

/** The negated term has nothing to highlight, since what remains does not contain it. */
function negateTerm({ test, metric }: Term): Term {
  return { test: (details, metrics) => !test(details, metrics), ...(metric && { metric }) };
}

function termOf(word: string, known: QueryNames): Term {
  const cut = comparison(word);
  if (cut === null) return nameTerm(word);
  const [left, operator, right] = cut;
  const key = unquoted(left);
  const field = wordField(key, operator);
  const column = field ? null : columnNamed(key, known);
  if (!field && !column) {
    // Names of runs often look like this: lr=1e-3.
    if (operator === "=" || operator === ":") return nameTerm(word);
    throw new QueryError("column", key, `no column ${key}`);
  }
  if (right === "") throw new QueryError("value", word, `${word} lacks a value`);
  if (column) return columnTerm(column, operator, right);
  const tests = valuesOf(right).map(field!);
  return { test: negated(operator, (details) => tests.some((test) => test(details))) };
}

/** Left side, operator and right side at the first operator outside quotes; `in (…)` is an operator too. */
export function comparison(word: string): [string, Operator, string] | null {
  const [, name, not, list] = /^(.+?)\s+(not\s+)?in\s*[([](.*)[)\]]$/is.exec(word) ?? [];
  if (name !== undefined) return [name, not ? "!=" : "=", list!.trim()];
  let quote = "";
  for (let at = 0; at < word.length; at++) {
    const char = word[at]!;
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if (at > 0 && word[0] !== "/") {
      const operator = OPERATORS.find((each) => word.startsWith(each, at));
      if (operator) return [word.slice(0, at).trim(), operator, word.slice(at + operator.length).trim()];
    }
  }
  return null;
}

/** A term that finds exactly this text in names, whatever characters it contains. */
export function quoteTerm(text: string): string {
  if (/^[\p{L}\p{N}_./]+$/u.test(text) && !text.startsWith("/")) return text;
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

export function unquoted(text: string): string {
  return text.replace(/^(["'])(.*?)\1?$/, "$2");
}

/** Splits a list: `adam, "a, b"`. Commas outside quotes may also be part of a single value. */
function valuesOf(text: string): readonly string[] {
  if (text.startsWith("/")) return [text];
  const parts = text.match(/"[^"]*"?|'[^']*'?|[^,"']+/g) ?? [];
  const values = parts.map((part) => part.trim()).filter((part) => part !== "");
  return [...(/["']/.test(text) ? [] : [text]), ...values.map(unquoted)];
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
    throw new QueryError("regex", text, why.split(": ").at(-1) ?? why);
  }
}

/** Tests for text fields. */
export const WORD_FIELDS: Record<string, (asked: Pattern) => (details: RunDetails) => boolean> = {
  name: (asked) => (details) => asked.matches(details.name) || asked.matches(details.label),
  tag: (asked) => (details) => details.tags.some((tag) => asked.matches(tag)),
  note: (asked) => (details) => asked.matches(details.note),
  group: (asked) => (details) => details.groups.some((group) => asked.matches(group)),
};

/** Other words for the states of a run. */
export const STATUS_WORDS: Record<ShownStatus, readonly string[]> = {
  running: ["running", "live"],
  finished: ["finished", "done", "success", "ok"],
  failed: ["failed", "failure", "crashed", "error"],
  idle: ["idle", "ended", "stopped"],
  diverged: ["diverged", "nan"],
};

/** A run that failed, or is running still, may have diverged as well. */
function statusWordsOf(details: RunDetails): readonly string[] {
  const words = STATUS_WORDS[shownStatus(details)];
  return details.nonfinite === null ? words : [...words, ...STATUS_WORDS.diverged];
}

function wordField(
  key: string,
  operator: Operator,
): ((text: string) => (details: RunDetails) => boolean) | null {
  if (!EQUALITY.includes(operator)) return null;
  const name = key.toLowerCase();
  if (name === "status")
    return (text) => (details) => statusWordsOf(details).some((word) => word.startsWith(text.toLowerCase()));
  const field = WORD_FIELDS[name];
  return field && Object.hasOwn(WORD_FIELDS, name) ? (text) => field(patternOf(text)) : null;
}

function negated(operator: Operator, test: (details: RunDetails) => boolean): Test {
  return operator === "!=" ? (details) => !test(details) : test;
}

/** The column that a term refers to: a config key, `tag.stat`, a tag, or the unique tag with this ending. */
export function columnNamed(name: string, known: QueryNames): Column | null {
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
  const holds = EQUALITY.includes(operator)
    ? equal(valuesOf(text))
    : ordered(operator, unquoted(text), column);
  const test: Test = (details, metrics) => {
    const cell = cellOf(column, details, metrics);
    return cell !== null && holds(cell) !== (operator === "!=");
  };
  return column.kind === "metric" ? { test, metric: column } : { test };
}

/** Relative tolerance for equal numbers: files often store them in single precision. */
const SAME = 1e-6;

/** Whether a cell equals one of several values. */
function equal(values: readonly string[]): (cell: number | string) => boolean {
  const words = new Set(values.map((value) => value.toLowerCase()));
  const numbers = [...words].map(Number).filter((number) => !Number.isNaN(number));
  // Compare as text too: nothing is close to NaN, and people look for runs that diverged.
  return (cell) =>
    words.has(String(cell).toLowerCase()) ||
    (typeof cell === "number" &&
      numbers.some((number) => Math.abs(cell - number) <= SAME * Math.abs(number)));
}

function ordered(operator: Operator, text: string, column: Column): (cell: number | string) => boolean {
  const limit = limitOf(text, column);
  if (limit === null) throw new QueryError("number", text, `${text} is no number`);
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

/** A number; a date if the column is a time; 90s, 5m, 1.5h, 2d if it is a duration. */
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
