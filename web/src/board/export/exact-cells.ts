/** Cells of a table as programs read them: numbers with every digit, times in ISO 8601. Pure. */

import { exactNumber } from "../../lib/table";
import type { Cell } from "../runs/column";

/** Columns of runs and of trials alike. */
interface ExportedColumn {
  kind: string;
  what?: string;
}

export const isTime = (column: ExportedColumn) => column.kind === "info" && column.what === "created";

export function exactText(column: ExportedColumn, cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "string") return cell;
  return isTime(column) ? new Date(cell * 1000).toISOString() : exactNumber(cell);
}

/** A value for JSON, which cannot express NaN and infinities: these become text. */
export function jsonCell(column: ExportedColumn, cell: Cell): Cell {
  if (typeof cell !== "number") return cell;
  return isTime(column) || !Number.isFinite(cell) ? exactText(column, cell) : cell;
}
