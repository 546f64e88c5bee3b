/** Exports the run table. Names as stored, numbers exact, times in ISO 8601. */

import type { Table as PlainTable } from "../../../lib/table";
import { exactText, isTime, jsonCell } from "../../export/exact-cells";
import type { Table } from "../../run-table/use-table";
import { type Column, cellOf, isText } from "../../runs/column";

type TableContent = Pick<Table, "columns" | "runs" | "metrics">;

export function exactTable({ columns, runs, metrics }: TableContent): PlainTable {
  const cells = runs.map((details) => columns.map((column) => cellOf(column, details, metrics)));
  return {
    head: ["run", ...columns.map((column) => nameOf(column))],
    rows: runs.map(({ name }, row) => [
      name,
      ...columns.map((column, at) => exactText(column, cells[row]![at]!)),
    ]),
    numeric: [
      false,
      ...columns.map(
        (column, at) =>
          !isText(
            column,
            cells.map((row) => row[at]!),
          ) && !isTime(column),
      ),
    ],
  };
}

/** One object per run; null where it has no value. */
export function jsonOf({ columns, runs, metrics }: TableContent): string {
  const rows = runs.map((details) => {
    const cells = columns.map((column) => [
      nameOf(column),
      jsonCell(column, cellOf(column, details, metrics)),
    ]);
    return { run: details.name, ...Object.fromEntries(cells) };
  });
  return `${JSON.stringify(rows, null, 2)}\n`;
}

/** The key of a hyperparameter; tag and statistic of a metric. The same in every language. */
function nameOf(column: Column): string {
  if (column.kind === "config") return column.key;
  return column.kind === "metric" ? `${column.tag} ${column.stat}` : column.what;
}
