/** The rows and columns of trials as plain values, in the order shown: exact for programs, readable for papers. */

import { exactNumber, type Table as PlainTable } from "../../base/table";
import { cellText } from "../../panels/hparams/cell-text";
import type { Cell } from "../../state/column";
import type { TrialColumn } from "../../state/trialcolumn";
import type { TrialTable } from "../../state/trials";

type Shown = Pick<TrialTable, "rows" | "kept" | "columns" | "cells">;

/** Names are the stored ones, numbers have every digit. */
export function exactTable(table: Shown): PlainTable {
  return tableOf(table, (column, cell) => {
    if (cell === null) return "";
    if (typeof cell === "string") return cell;
    return isTime(column) ? new Date(cell * 1000).toISOString() : exactNumber(cell);
  });
}

/** As on the page: 32, 3e-4. */
export function readableTable(table: Shown): PlainTable {
  return tableOf(table, (column, cell) => cellText(column, cell).replaceAll("\u2212", "-"));
}

function tableOf(
  { rows, kept, columns, cells }: Shown,
  text: (column: TrialColumn, cell: Cell) => string,
): PlainTable {
  const of = (column: TrialColumn) => cells.get(column.id) ?? [];
  return {
    head: ["trial", ...columns.map(nameOf)],
    rows: kept.map((row) => [
      rows[row]!.trials.length === 1 ? rows[row]!.facts.name : rows[row]!.label,
      ...columns.map((column) => text(column, of(column)[row] ?? null)),
    ]),
    numeric: [
      false,
      ...columns.map((column) => !isTime(column) && of(column).every((cell) => typeof cell !== "string")),
    ],
  };
}

/** One object for each row; null where it has no value. */
export function jsonOf({ rows, kept, columns, cells }: Shown): string {
  const found = kept.map((at) => {
    const { label, trials, facts } = rows[at]!;
    const values = columns.map((column) => [
      nameOf(column),
      plainOf(column, cells.get(column.id)?.[at] ?? null),
    ]);
    const head =
      trials.length === 1
        ? { trial: facts.name }
        : { trial: label, runs: trials.map((each) => each.facts.name) };
    return { ...head, ...Object.fromEntries(values) };
  });
  return `${JSON.stringify(found, null, 2)}\n`;
}

/** Flags are no words, and JSON has none for what is not finite. */
function plainOf(column: TrialColumn, cell: Cell): Cell | boolean {
  if (column.kind === "config" && (cell === "true" || cell === "false")) return cell === "true";
  if (typeof cell !== "number") return cell;
  if (isTime(column)) return new Date(cell * 1000).toISOString();
  return Number.isFinite(cell) ? cell : exactNumber(cell);
}

/** Of a parameter its key, of a metric group, tag and statistic; the same in every language. */
function nameOf(column: TrialColumn): string {
  if (column.kind === "config") return column.key;
  if (column.kind === "info") return column.what;
  return `${column.group === "" ? "" : `${column.group}/`}${column.tag} ${column.stat}`;
}

const isTime = (column: TrialColumn) => column.kind === "info" && column.what === "created";
