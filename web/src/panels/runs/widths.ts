/** How wide the columns of the run table are: by what they say, or as they were dragged; and how many fit. */

import { type Cell, type Column, cellOf, isText, type MetricValues } from "../../state/column";
import type { RunFacts } from "../../state/facts";
import { cellText, headText, mixedText } from "./cell-text";

/** Pixels of a letter where no letters can be measured. */
const LETTER_PX = 7;
const PADDING_PX = 14;
const MIN_PX = 44;
const MOST_PX = { number: 116, text: 168 } as const;
/** Rows looked at. */
const SAMPLE = 200;
/** "± 0.034" beside the mean of a group, "+0.012" beside a value that is compared. */
const APART_PX = 50;
/** The sign before a status, the room around a tag. */
const SIGN_PX = 18;
/** What a metric will say is not known before it is here; its column must not jump when it comes. */
const USUAL_METRIC = "0.0000";

/** Box, swatch and the edges beside the names. */
export const LEAD_PX = 58;
const NAME_MIN_PX = { side: 112, page: 200, phone: 92 } as const;
const PHONE_PX = 640;
const EDGE_PX = 10;

export interface Laid {
  column: Column;
  px: number;
  /** Words stand to the left. */
  text: boolean;
  /** Pixels kept beside the values, in all rows alike, for what stands beside some. */
  apart: number;
}

export function layColumns(
  columns: readonly Column[],
  runs: readonly RunFacts[],
  metrics: MetricValues,
  chosen: Readonly<Record<string, number>>,
  spreads: boolean,
): readonly Laid[] {
  const sample = runs.slice(0, SAMPLE);
  return columns.map((column) => {
    const cells = sample.map((facts) => cellOf(column, facts, metrics));
    const text = isText(column, cells);
    const apart = spreads && column.kind === "metric" ? APART_PX : 0;
    return { column, text, apart, px: chosen[column.id] ?? usualPx(column, cells, text, spreads) };
  });
}

function usualPx(column: Column, cells: readonly Cell[], text: boolean, spreads: boolean): number {
  const { name, stat } = headText(column);
  const head = lettersPx(stat === "" ? name : `${name} ${stat}`, HEAD_FONT);
  const texts = new Set(cells.map((cell) => cellText(column, cell)));
  if (column.kind === "metric") texts.add(USUAL_METRIC);
  if (spreads && column.kind === "config" && texts.size > 1) texts.add(mixedText(texts.size));
  const body = [...texts].reduce((most, each) => Math.max(most, lettersPx(each, CELL_FONT)), 0);
  const sign = column.kind === "info" && text ? SIGN_PX : 0;
  const spread = spreads && column.kind === "metric" ? APART_PX : 0;
  const most = text ? MOST_PX.text : MOST_PX.number;
  return Math.ceil(spread + Math.min(most, Math.max(MIN_PX, PADDING_PX + Math.max(head, body + sign))));
}

const CELL_FONT = "12px";
const HEAD_FONT = "11px";
let pen: CanvasRenderingContext2D | null | undefined;
const measured = new Map<string, number>();
const MEASURED_MOST = 5000;

/** Width of a text as it is drawn, kept: the same few values stand in many rows. */
function lettersPx(text: string, size: string): number {
  const key = `${size} ${text}`;
  const known = measured.get(key);
  if (known !== undefined) return known;
  if (measured.size > MEASURED_MOST) measured.clear();
  if (pen === undefined) pen = typeof document === "undefined" ? null : penOf(document);
  let px = text.length * LETTER_PX;
  if (pen) {
    pen.font = `${size} ${familyOfPage()}`;
    // The page sets its figures in columns, a pen does not.
    px = pen.measureText(text.replace(/[0-9]/g, "0")).width;
  }
  measured.set(key, px);
  return px;
}

/** What was measured before the page had its font says nothing. */
export function forgetWidths(): void {
  measured.clear();
}

const penOf = (page: Document) => page.createElement("canvas").getContext("2d");

let family: string | undefined;

function familyOfPage(): string {
  family ??= getComputedStyle(document.body).fontFamily;
  return family;
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
export function tableWidth(laid: readonly Laid[], width: number): number {
  const name = width < PHONE_PX ? NAME_MIN_PX.phone : NAME_MIN_PX.page;
  return laid.reduce((sum, { px }) => sum + px, LEAD_PX + name + EDGE_PX);
}
