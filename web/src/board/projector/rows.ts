/** Sorted sets of rows: selection, highlights, counts by category. Pure. */

import { BACK, CHOSEN, HIDDEN, PLAIN } from "./splat";

export type Rows = Uint32Array;

export const NO_ROWS: Rows = new Uint32Array(0);

export function rowsOf(rows: Iterable<number>): Rows {
  return Uint32Array.from(new Set(rows)).toSorted();
}

/** The union. */
export function unionOf(a: Rows, b: Rows): Rows {
  return rowsOf([...a, ...b]);
}

/** Adds a row, or removes it if present. */
export function toggleRow(rows: Rows, row: number): Rows {
  return rows.includes(row) ? rows.filter((each) => each !== row) : unionOf(rows, Uint32Array.of(row));
}

/** Rows of a category. */
export function rowsWith(codes: Uint16Array, code: number): Rows {
  const rows: number[] = [];
  for (let row = 0; row < codes.length; row++) if (codes[row] === code) rows.push(row);
  return Uint32Array.from(rows);
}

/**
 * The state of each of `count` rows: selected or marked ones in front, the others in the background if there are any;
 * rows outside `isolated` are hidden.
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

/** The number of rows per label, the most frequent first. */
export function countsOf(rows: Rows, codes: Uint16Array, labels: readonly string[]): CategoryCount[] {
  const counts = new Uint32Array(labels.length);
  // An earlier step may have had more rows.
  for (const row of rows) if (row < codes.length) counts[codes[row]!]! += 1;
  return labels
    .map((label, code) => ({ code, label, count: counts[code]! }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || a.code - b.code);
}

/** The user's groups as a column: the last group of each row, otherwise none. */
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
