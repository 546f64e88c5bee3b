/** How wide the columns of the run table are: by what they say, or as they were dragged; and how many fit. */

import { type Column, cellOf, isText, type MetricValues } from "../../state/column";
import type { RunFacts } from "../../state/facts";
import { cellText, headText } from "./cell-text";

/** Pixels of a letter of a cell and of a head. */
const LETTER_PX = 7;
const HEAD_LETTER_PX = 6.2;
const PADDING_PX = 14;
const MIN_PX = 44;
const MOST_PX = { number: 116, text: 168 } as const;
/** Rows looked at. */
const SAMPLE = 200;
/** "± 0.034" beside the mean of a group. */
const SPREAD_PX = 46;

/** Box, swatch and the edges beside the names. */
export const LEAD_PX = 58;
const NAME_MIN_PX = { side: 112, page: 200 } as const;
const EDGE_PX = 10;

export interface Laid {
  column: Column;
  px: number;
  /** Words stand to the left. */
  text: boolean;
}

export function layColumns(
  columns: readonly Column[],
  runs: readonly RunFacts[],
  metrics: MetricValues,
  chosen: Readonly<Record<string, number>>,
  groups: boolean,
): readonly Laid[] {
  const sample = runs.slice(0, SAMPLE);
  return columns.map((column) => {
    const cells = sample.map((facts) => cellOf(column, facts, metrics));
    const text = isText(column, cells);
    return { column, text, px: chosen[column.id] ?? usualPx(column, cells, text, groups) };
  });
}

function usualPx(
  column: Column,
  cells: readonly ReturnType<typeof cellOf>[],
  text: boolean,
  groups: boolean,
): number {
  const { name, stat } = headText(column);
  const head = HEAD_LETTER_PX * (name.length + (stat === "" ? 0 : stat.length + 1));
  // What a metric will say is not known before it is here; the column must not jump when it comes.
  const least = column.kind === "metric" ? 6 : 0;
  const letters = cells.reduce<number>((most, cell) => Math.max(most, width(cellText(column, cell))), least);
  const body = LETTER_PX * letters + (groups && column.kind === "metric" ? SPREAD_PX : 0);
  const most = (text ? MOST_PX.text : MOST_PX.number) + (groups ? SPREAD_PX : 0);
  return Math.round(Math.min(most, Math.max(MIN_PX, PADDING_PX + Math.max(head, body))));
}

/** Letters as wide as they are drawn: Chinese ones take two. */
function width(text: string): number {
  return text.length + (text.match(/[\u2e80-\uffef]/g)?.length ?? 0);
}

/** As many of the first columns as leave room for the names. */
export function fitting(laid: readonly Laid[], width: number): readonly Laid[] {
  let room = width - LEAD_PX - NAME_MIN_PX.side - EDGE_PX;
  const end = laid.findIndex(({ px }) => {
    room -= px;
    return room < 0;
  });
  return end < 0 ? laid : laid.slice(0, end);
}

/** Width of all columns with names of a readable length. */
export function tableWidth(laid: readonly Laid[]): number {
  return laid.reduce((sum, { px }) => sum + px, LEAD_PX + NAME_MIN_PX.page + EDGE_PX);
}
