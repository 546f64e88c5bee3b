/** Sets of rows, in order: who is selected, who stands out, how many of each category. Pure. */

import { BACK, CHOSEN, HIDDEN, PLAIN } from "./splat";

export type Rows = Uint32Array;

export const NO_ROWS: Rows = new Uint32Array(0);

export function rowsOf(rows: Iterable<number>): Rows {
  return Uint32Array.from(new Set(rows)).toSorted();
}

/** Those of both. */
export function joined(a: Rows, b: Rows): Rows {
  return rowsOf([...a, ...b]);
}

/** Adds a row, or takes it away if it is there. */
export function toggled(rows: Rows, row: number): Rows {
  return rows.includes(row) ? rows.filter((each) => each !== row) : joined(rows, Uint32Array.of(row));
}

/** Rows of a category. */
export function rowsWith(codes: Uint16Array, code: number): Rows {
  const rows: number[] = [];
  for (let row = 0; row < codes.length; row++) if (codes[row] === code) rows.push(row);
  return Uint32Array.from(rows);
}

/**
 * How each of `count` rows stands out: what is selected or marked before, the rest set back where anything is; what is not
 * among `isolated` is not there at all.
 */
export function statesOf(
  count: number,
  selected: Rows,
  marked: readonly number[],
  isolated: Rows | null,
): Uint8Array {
  const some = selected.length > 0 || marked.length > 0;
  const rest = some ? BACK : PLAIN;
  const states = new Uint8Array(count).fill(isolated === null ? rest : HIDDEN);
  if (isolated !== null) for (const row of isolated) states[row] = rest;
  const choose = (row: number) => {
    if (row < count && states[row] !== HIDDEN) states[row] = CHOSEN;
  };
  for (const row of selected) choose(row);
  for (const row of marked) choose(row);
  return states;
}

export interface CategoryCount {
  code: number;
  label: string;
  count: number;
}

/** How many of the rows have each label, the most first. */
export function countsOf(rows: Rows, codes: Uint16Array, labels: readonly string[]): CategoryCount[] {
  const counts = new Uint32Array(labels.length);
  // A step before had more rows, perhaps.
  for (const row of rows) if (row < codes.length) counts[codes[row]!]! += 1;
  return labels
    .map((label, code) => ({ code, label, count: counts[code]! }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || a.code - b.code);
}

/** Groups made by hand as a column: the last group a row was put in, else none. */
export function groupColumn(
  count: number,
  groups: readonly { name: string; rows: Rows }[],
  none: string,
): { kind: "category"; codes: Uint16Array; labels: readonly string[] } {
  const codes = new Uint16Array(count).fill(groups.length);
  groups.forEach(({ rows }, code) => {
    for (const row of rows) codes[row] = code;
  });
  return { kind: "category", codes, labels: [...groups.map(({ name }) => name), none] };
}
