/** Rows of a name and a value, as forms edit them. Pure. */

import type { WordId } from "../../i18n/words";

/** A row of a name and a value. */
export interface Pair {
  /** A unique key for rows of the editor. */
  key: number;
  name: string;
  value: string;
}

let lastKey = 0;

export const newPair = (name = "", value = ""): Pair => ({ key: ++lastKey, name, value });

/** Pasted lines `NAME=VALUE` as rows; none if the text is anything else. Empty lines and comments are skipped. */
export function pairsIn(text: string): Pair[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.trimStart().startsWith("#"));
  if (!lines.every((line) => /^\s*[^=\s]+=/.test(line))) return [];
  return lines.map((line) => {
    const at = line.indexOf("=");
    return newPair(line.slice(0, at).trim(), line.slice(at + 1));
  });
}

/** The rows that are not empty. */
export const filled = <Row extends Pair>(rows: readonly Row[]): Row[] =>
  rows.filter(({ name, value }) => name !== "" || value !== "");

export const namesOf = (pairs: readonly Pair[]) => filled(pairs).map(({ name }) => name.trim());

export function pairFault(pairs: readonly Pair[]): WordId | null {
  const names = namesOf(pairs);
  if (names.includes("")) return "hub.job.fault.unnamed";
  return new Set(names).size < names.length ? "hub.job.fault.twice" : null;
}

/** The values of rows by their names. */
export const valuesOf = (pairs: readonly Pair[]) =>
  Object.fromEntries(filled(pairs).map(({ name, value }) => [name.trim(), value]));
