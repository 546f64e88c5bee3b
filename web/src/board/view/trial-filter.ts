/**
 * Filters of trial columns: a range of numbers, a list of values, a pattern, and whether trials without a value pass.
 * Brushing an axis sets such a filter too. Pure.
 */

import { number } from "./view-codec";

export type Filter =
  /** Null is an open end. */
  | { kind: "range"; low: number | null; high: number | null; missing: boolean }
  | { kind: "words"; words: readonly string[]; missing: boolean }
  | { kind: "pattern"; text: string; missing: boolean };

/** A predicate for cells; an invalid pattern lets everything pass. */
export function passes(filter: Filter): (cell: number | string | null) => boolean {
  const inside = insideOf(filter);
  return (cell) => (cell === null || Number.isNaN(cell) ? filter.missing : inside(cell));
}

function insideOf(filter: Filter): (cell: number | string) => boolean {
  switch (filter.kind) {
    case "range": {
      const low = filter.low ?? Number.NEGATIVE_INFINITY;
      const high = filter.high ?? Number.POSITIVE_INFINITY;
      return (cell) => typeof cell === "number" && cell >= low && cell <= high;
    }
    case "words": {
      const words = new Set(filter.words);
      return (cell) => words.has(String(cell));
    }
    case "pattern": {
      const pattern = patternOf(filter.text);
      return (cell) => pattern?.test(String(cell)) ?? true;
    }
  }
}

/** Null for an invalid regular expression. */
export function patternOf(text: string): RegExp | null {
  try {
    return new RegExp(text, "i");
  } catch {
    return null;
  }
}

/** Whether everything passes. */
export function isOpen(filter: Filter): boolean {
  if (!filter.missing) return false;
  if (filter.kind === "range") return filter.low === null && filter.high === null;
  return filter.kind === "pattern" && filter.text === "";
}

/** `1e-4..0.1`, `=["a","b"]`, `~^a`; with `?` before it trials without a value pass. */
export function printFilter(filter: Filter): string {
  const head = filter.missing ? "?" : "";
  switch (filter.kind) {
    case "range":
      return `${head}${filter.low ?? ""}..${filter.high ?? ""}`;
    case "words":
      return `${head}=${JSON.stringify(filter.words)}`;
    case "pattern":
      return `${head}~${filter.text}`;
  }
}

export function parseFilter(given: string): Filter | undefined {
  const missing = given.startsWith("?");
  const text = missing ? given.slice(1) : given;
  if (text.startsWith("~")) return { kind: "pattern", text: text.slice(1), missing };
  if (text.startsWith("=")) {
    const words = wordsOf(text.slice(1));
    return words && { kind: "words", words, missing };
  }
  const [low, high, ...rest] = text.split("..");
  if (high === undefined || rest.length > 0) return undefined;
  const [from, to] = [number(low!) ?? null, number(high) ?? null];
  if ((from === null && low !== "") || (to === null && high !== "")) return undefined;
  return { kind: "range", low: from, high: to, missing };
}

function wordsOf(text: string): readonly string[] | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) && found.every((word) => typeof word === "string") ? found : undefined;
  } catch {
    return undefined;
  }
}
