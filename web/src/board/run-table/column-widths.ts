/** Widths of the columns of the run table: by their contents, or as dragged; and how many fit. */

import { memoize } from "../../lib/memoize";
import { abbreviate, distinguishingWidth } from "../../lib/short-names";
import { textPx } from "../../ui/text-width";
import { type Cell, type Column, cellOf, isText, type MetricValues } from "../runs/column";
import type { RunDetails } from "../runs/run-details";
import type { TablePlacement } from "../runs/table-columns";
import {
  cellText,
  divergedOf,
  type HeadText,
  headText,
  mixedText,
  rangeText,
  statusCounts,
  statusText,
} from "./cell-text";
import type { GroupRow, RunRow, TableRow } from "./rows";

const PADDING_PX = 14;
const MIN_PX = 44;
const MAX_PX = { number: 116, text: 188 } as const;
/** Number of rows that are measured. */
const SAMPLE = 200;
/** Width of "± 0.034" beside the mean of a group, or "+0.012" beside a compared value. */
const APART_PX = 60;
/** Width of "1 of 3 (2 NaN)" beside it. */
export const LOST_PX = 96;
/** Width of the icon before a status, or the padding of a tag. */
const SIGN_PX = 18;
/** The width of a metric column must not jump when its values load. */
const USUAL_METRIC = "0.0000";

/** Width of checkbox, swatch and padding beside the names. */
const LEAD_PX = 58;
const NAME_MIN_PX = { side: 112, page: 200, phone: 92 } as const;
const PHONE_PX = 640;
const EDGE_PX = 10;

export interface ColumnLayout {
  column: Column;
  px: number;
  /** Text is aligned to the left. */
  text: boolean;
  /** Width of the values alone: without their head, and without what is beside them. */
  leastPx: number;
  /** Width reserved beside the values, equal in all rows. */
  apart: number;
  /** The head is cut to the last part of its name. */
  cut: boolean;
  /** No run has such a metric; not known before all logs have been read. */
  absent: boolean;
}

/** `settled`: all logs have been read. */
export function layColumns(
  columns: readonly Column[],
  runs: readonly RunDetails[],
  metrics: MetricValues,
  chosen: Readonly<Record<string, number>>,
  spreads: boolean,
  settled: boolean,
  room: TablePlacement,
): readonly ColumnLayout[] {
  const sample = runs.slice(0, SAMPLE);
  return columns.map((column) => {
    const cells = sample.map((details) => cellOf(column, details, metrics));
    const text = isText(column, cells);
    const apart =
      spreads && column.kind === "metric" ? (room === "side" ? APART_PX : apartPx(runs, column, metrics)) : 0;
    const texts = isStatus(column) ? sample.map(statusText) : cells.map((cell) => cellText(column, cell));
    if (spreads) texts.push(...wholeTexts(column, runs, cells));
    const absent = settled && metrics.get(column.id)?.size === 0;
    const head = headText(column, false, absent);
    const leastPx = bodyPx(column, texts, text, spreads);
    const px = chosen[column.id] ?? usualPx(column, head, leastPx, text, apart);
    return { column, text, apart, absent, px, leastPx, cut: false };
  });
}

/** What a group of all runs would say, where that is longer than what each says. */
function wholeTexts(column: Column, runs: readonly RunDetails[], cells: readonly Cell[]): string[] {
  if (isStatus(column)) return [statusCounts(runs)];
  const isRange = column.kind === "config" || (column.kind === "info" && column.what === "created");
  return isRange ? [rangeText(column, cells)] : [];
}

const isStatus = (column: Column) => column.kind === "info" && column.what === "status";

/** Checks all runs, since few diverge. */
function apartPx(runs: readonly RunDetails[], column: Column, metrics: MetricValues): number {
  const isLost = (cell: Cell) => typeof cell === "number" && !Number.isFinite(cell);
  return runs.some((details) => isLost(cellOf(column, details, metrics))) ? LOST_PX : APART_PX;
}

/** The width of a column without its head and without what is beside its values. */
function bodyPx(column: Column, cells: readonly string[], text: boolean, spreads: boolean): number {
  const texts = new Set(cells);
  if (column.kind === "metric") texts.add(USUAL_METRIC);
  if (spreads && column.kind === "config" && texts.size > 1) texts.add(mixedText(texts.size));
  const body = [...texts].reduce((most, each) => Math.max(most, textPx(each, CELL_FONT)), 0);
  const sign = column.kind === "info" && text ? SIGN_PX : 0;
  return Math.ceil(Math.min(mostPx(column, text), Math.max(MIN_PX, PADDING_PX + body + sign)));
}

function usualPx(
  column: Column,
  { name, stat }: HeadText,
  leastPx: number,
  text: boolean,
  spread: number,
): number {
  const head = textPx(stat === "" ? name : `${name} ${stat}`, HEAD_FONT);
  return Math.ceil(spread + Math.min(mostPx(column, text), Math.max(leastPx, PADDING_PX + head)));
}

/** Dates and statuses are short in every language, and useless if cut off. */
function mostPx(column: Column, text: boolean): number {
  return text || column.kind === "info" ? MAX_PX.text : MAX_PX.number;
}

const CELL_FONT = "12px";
const HEAD_FONT = "11px";
/** Number of rows whose names are examined. */
const NAMED = 2000;
/** Indentation per folder or group. */
const INDENT_PX = 14;
/** Additional width of a group: arrow, count and swatch. */
const GROUP_PX = 36;
/** Additional width where the number of members that diverged, with an icon, stands for the count. */
const DIVERGED_PX = 11;
/** Width of an icon after a name: diverged, damaged, live, pinned. */
const BADGE_PX = 18;
/** Padding of the name, with slack for fonts. */
const NAME_PX = 6;

/** The names of rows of one depth, which are read together. */
interface Level {
  depth: number;
  names: string[];
  /** What is beside the longest of them. */
  besidePx: number;
}

/** Labels of rows, and the width at which no two look alike; 0 if they never do. */
export interface RowNames {
  wholePx: number;
  /** The same for the rows of one depth. */
  wholePxOf(depth: number): number;
  /** The width if each part is abbreviated. */
  shortPx(): number;
  shortOf(row: GroupRow | RunRow): string;
}

export function namesOf(rows: readonly TableRow[]): RowNames {
  const levels = new Map<number, Level>();
  for (const row of rows.slice(0, NAMED)) {
    if (row.kind === "head") continue;
    const level = levels.get(row.depth) ?? { depth: row.depth, names: [], besidePx: 0 };
    level.names.push(row.label);
    level.besidePx = Math.max(level.besidePx, besidePx(row));
    levels.set(row.depth, level);
  }
  const all = [...levels.values()];
  const whole = new Map(all.map((level) => [level.depth, roomOf([level])] as const));
  // Computed only where room is short: abbreviating thousands of names doubled the time of a keystroke in the filter.
  const short = memoize(() => new Map(all.map(({ depth, names }) => [depth, abbreviate(names)] as const)));
  const shortPx = memoize(() =>
    roomOf(all.map((level) => ({ ...level, names: [...short().get(level.depth)!.values()] }))),
  );
  return {
    wholePx: Math.max(0, ...whole.values()),
    wholePxOf: (depth) => whole.get(depth) ?? 0,
    shortPx,
    shortOf: ({ depth, label }) => short().get(depth)?.get(label) ?? label,
  };
}

function roomOf(levels: readonly Level[]): number {
  return levels.reduce((most, { names, besidePx }) => {
    const px = distinguishingWidth(names, (text) => textPx(text, CELL_FONT));
    return px === 0 ? most : Math.max(most, Math.ceil(px) + besidePx);
  }, 0);
}

/** The width beside the name of a row. */
function besidePx(row: GroupRow | RunRow): number {
  const beside = row.kind === "group" ? GROUP_PX + divergedPx(row) : badgesPx(row);
  return row.depth * INDENT_PX + NAME_PX + beside;
}

function divergedPx({ members }: GroupRow): number {
  return divergedOf(members).length > 0 ? DIVERGED_PX : 0;
}

function badgesPx({ details, pinned }: RunRow): number {
  const signs = [pinned, details.hidden, details.archived, details.nonfinite, details.run.damage_bytes > 0];
  return BADGE_PX * (signs.filter(Boolean).length + (details.run.status === "live" ? 1 : 0));
}

/** The first columns that leave enough room for names to be distinct. */
export function fittingColumns(
  layout: readonly ColumnLayout[],
  width: number,
  { wholePx, shortPx }: RowNames,
): readonly ColumnLayout[] {
  const namePx = wholePx <= NAME_MIN_PX.side ? NAME_MIN_PX.side : Math.max(NAME_MIN_PX.side, shortPx());
  const room = width - LEAD_PX - namePx - EDGE_PX;
  const whole = columnsWithin(layout, room);
  if (hasMetric(whole) || !hasMetric(layout)) return whole;
  // Rather the value alone than none: how far members of groups are apart is in its tip.
  const bare = layout.map((each) => ({ ...each, px: each.leastPx, apart: 0, cut: true }));
  const narrow = columnsWithin(bare, room);
  return narrow.length > whole.length ? narrow : whole;
}

const hasMetric = (layout: readonly ColumnLayout[]) => layout.some(({ column }) => column.kind === "metric");

/** The first columns that are no wider together. */
function columnsWithin(layout: readonly ColumnLayout[], width: number): readonly ColumnLayout[] {
  let left = width;
  const end = layout.findIndex(({ px }) => {
    left -= px;
    return left < 0;
  });
  return end < 0 ? layout : layout.slice(0, end);
}

/** Maximum width of names beside scrolled columns. */
const LEAD_MOST_PX = 420;
const LEAD_MOST_PART = 0.64;
/** Share of a phone's width, if names would look alike even when abbreviated. */
const LEAD_SHORT_PART = 0.82;
/** On a phone the menu button is beside each name. */
const MENU_PX = 24;

/** Gap between names and the first column. */
const GAP_PX = 8;

/** Width of checkbox, swatch and name on the Runs page, where they stay in view. */
export function leadPx(width: number, { wholePx, shortPx }: RowNames): number {
  if (width >= PHONE_PX)
    return Math.min(LEAD_PX + Math.max(NAME_MIN_PX.page, wholePx) + GAP_PX, LEAD_MOST_PX);
  const beside = LEAD_PX + MENU_PX + GAP_PX;
  const short = Math.min(beside + shortPx(), width * LEAD_SHORT_PART);
  const most = Math.max(short, width * LEAD_MOST_PART);
  return Math.round(Math.min(Math.max(LEAD_PX + NAME_MIN_PX.phone, beside + wholePx), most));
}

/** Width of all columns beside names. */
export function tableWidth(layout: readonly ColumnLayout[], lead: number): number {
  return layout.reduce((sum, { px }) => sum + px, lead + EDGE_PX);
}

/** Labels of rows in a table of this width: names, or abbreviations if those would look alike. */
export function namingForWidth(
  { wholePxOf, shortOf }: RowNames,
  layout: readonly ColumnLayout[],
  width: number,
  lead?: number,
): (row: GroupRow | RunRow) => string {
  const columns = layout.reduce((sum, { px }) => sum + px, 0);
  const menuPx = lead !== undefined && width < PHONE_PX ? MENU_PX : 0;
  const gapPx = lead !== undefined ? GAP_PX : 0;
  const most = Math.max(lead ?? 0, Math.min(width - columns - EDGE_PX, LEAD_MOST_PX));
  const room = most - LEAD_PX - menuPx - gapPx;
  return (row) => (width > 0 && wholePxOf(row.depth) > room ? shortOf(row) : row.label);
}
