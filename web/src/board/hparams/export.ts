/** Exports the trials in the order shown: exact for programs, rounded for papers. */

import type { Table as PlainTable } from "../../lib/table";
import { exactText, isTime, jsonCell } from "../export/exact-cells";
import type { Cell } from "../runs/column";
import { cellText } from "./cell-text";
import type { TrialColumn } from "./trial-column";
import type { TrialTable } from "./trials";

type TableContent = Pick<TrialTable, "rows" | "filteredRows" | "columns" | "cells">;

/** Names as stored, numbers with every digit. */
export function exactTable(table: TableContent): PlainTable {
  return tableWith(table, exactText);
}

/** Rounded as on the page: 32, 3e-4. */
export function readableTable(table: TableContent): PlainTable {
  return tableWith(table, (column, cell) => cellText(column, cell).replaceAll("\u2212", "-"));
}

function tableWith(
  { rows, filteredRows, columns, cells }: TableContent,
  text: (column: TrialColumn, cell: Cell) => string,
): PlainTable {
  const of = (column: TrialColumn) => cells.get(column.id) ?? [];
  return {
    head: ["trial", ...columns.map(nameOf)],
    rows: filteredRows.map((row) => [
      rows[row]!.trials.length === 1 ? rows[row]!.details.name : rows[row]!.label,
      ...columns.map((column) => text(column, of(column)[row] ?? null)),
    ]),
    numeric: [
      false,
      ...columns.map((column) => !isTime(column) && of(column).every((cell) => typeof cell !== "string")),
    ],
  };
}

/** One object per row; null where it has no value. */
export function jsonOf({ rows, filteredRows, columns, cells }: TableContent): string {
  const objects = filteredRows.map((at) => {
    const { label, trials, details } = rows[at]!;
    const values = columns.map((column) => [
      nameOf(column),
      jsonValue(column, cells.get(column.id)?.[at] ?? null),
    ]);
    const head =
      trials.length === 1
        ? { trial: details.name }
        : { trial: label, runs: trials.map((each) => each.details.name) };
    return { ...head, ...Object.fromEntries(values) };
  });
  return `${JSON.stringify(objects, null, 2)}\n`;
}

/** Booleans stay booleans in JSON. */
function jsonValue(column: TrialColumn, cell: Cell): Cell | boolean {
  if (column.kind === "config" && (cell === "true" || cell === "false")) return cell === "true";
  return jsonCell(column, cell);
}

/** The key of a parameter; group, tag and statistic of a metric. The same in every language. */
function nameOf(column: TrialColumn): string {
  if (column.kind === "config") return column.key;
  if (column.kind === "info") return column.what;
  return `${column.group === "" ? "" : `${column.group}/`}${column.tag} ${column.stat}`;
}
