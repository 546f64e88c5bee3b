/** The rows and columns of the run table as plain values. Names are the stored ones, numbers exact, times ISO 8601. */

import { exactNumber, type Table as PlainTable } from "../../base/table";
import type { Table } from "../../panels/runs/use-table";
import { type Cell, type Column, cellOf, isText } from "../../state/column";

type Shown = Pick<Table, "columns" | "runs" | "metrics">;

export function tableOf({ columns, runs, metrics }: Shown): PlainTable {
  const cells = runs.map((facts) => columns.map((column) => cellOf(column, facts, metrics)));
  return {
    head: ["run", ...columns.map((column) => nameOf(column))],
    rows: runs.map(({ name }, row) => [
      name,
      ...columns.map((column, at) => textOf(column, cells[row]![at]!)),
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
export function jsonOf({ columns, runs, metrics }: Shown): string {
  const rows = runs.map((facts) => {
    const cells = columns.map((column) => [nameOf(column), plainOf(column, cellOf(column, facts, metrics))]);
    return { run: facts.name, ...Object.fromEntries(cells) };
  });
  return `${JSON.stringify(rows, null, 2)}\n`;
}

/** Of a hyper-parameter its key, of a metric tag and statistic; the same in every language. */
function nameOf(column: Column): string {
  if (column.kind === "config") return column.key;
  return column.kind === "metric" ? `${column.tag} ${column.stat}` : column.what;
}

const isTime = (column: Column) => column.kind === "info" && column.what === "created";

function textOf(column: Column, cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "string") return cell;
  return isTime(column) ? new Date(cell * 1000).toISOString() : exactNumber(cell);
}

/** JSON has no word for what is not finite. */
function plainOf(column: Column, cell: Cell): Cell {
  if (typeof cell !== "number") return cell;
  return isTime(column) || !Number.isFinite(cell) ? textOf(column, cell) : cell;
}
