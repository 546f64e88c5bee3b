/** Exports of the table of totals: every row, or those shown. Names of columns are the same in every language. */

import type { TotalsRow } from "../../../api/graphs";
import type { Table } from "../../../lib/table";
import { COSTS, MEASURED } from "./totals-rows";

const NUMBERS = [...COSTS, ...MEASURED];
const HEAD = ["scope", "op", "nodes", ...NUMBERS, "partial"];

/** Empty where a number is not known; `partial` names sums that are lower bounds. */
export function totalsAsTable(rows: readonly TotalsRow[]): Table {
  return {
    head: HEAD,
    rows: rows.map((row) => [
      row.path,
      row.op,
      String(row.nodes),
      ...NUMBERS.map((name) => (row[name] === null ? "" : String(row[name]))),
      row.partial.join(" "),
    ]),
    numeric: HEAD.map((_, at) => at > 1 && at < HEAD.length - 1),
  };
}

export function totalsAsJson(rows: readonly TotalsRow[]): string {
  return `${JSON.stringify(rows, null, 2)}\n`;
}
