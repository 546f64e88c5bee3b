/** How wide the columns of the run table are: by what they say, or as they were dragged; and how many fit. */

import { remember } from "../../base/remember";
import { abbreviated, roomToTell } from "../../base/short-names";
import { type Cell, type Column, cellOf, isText, type MetricValues } from "../../state/column";
import type { RunFacts } from "../../state/facts";
import { textPx } from "../../widgets/text-width";
import { cellText, headText, mixedText, statusText } from "./cell-text";
import type { GroupRow, RunRow, TableRow } from "./rows";

const PADDING_PX = 14;
const MIN_PX = 44;
const MOST_PX = { number: 116, text: 168 } as const;
/** Rows looked at. */
const SAMPLE = 200;
/** "± 0.034" beside the mean of a group, "+0.012" beside a value that is compared. */
const APART_PX = 60;
/** "1 of 3 (2 NaN)" beside it. */
const LOST_PX = 96;
/** The sign before a status, the room around a tag. */
const SIGN_PX = 18;
/** What a metric will say is not known before it is here; its column must not jump when it comes. */
const USUAL_METRIC = "0.0000";

/** Box, swatch and the edges beside the names. */
const LEAD_PX = 58;
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
    const apart = spreads && column.kind === "metric" ? apartPx(runs, column, metrics) : 0;
    const texts = isStatus(column) ? sample.map(statusText) : cells.map((cell) => cellText(column, cell));
    return { column, text, apart, px: chosen[column.id] ?? usualPx(column, texts, text, spreads, apart) };
  });
}

const isStatus = (column: Column) => column.kind === "info" && column.what === "status";

/** All runs are looked at: those that diverged are few. */
function apartPx(runs: readonly RunFacts[], column: Column, metrics: MetricValues): number {
  const isLost = (cell: Cell) => typeof cell === "number" && !Number.isFinite(cell);
  return runs.some((facts) => isLost(cellOf(column, facts, metrics))) ? LOST_PX : APART_PX;
}

function usualPx(
  column: Column,
  cells: readonly string[],
  text: boolean,
  spreads: boolean,
  spread: number,
): number {
  const { name, stat } = headText(column);
  const head = textPx(stat === "" ? name : `${name} ${stat}`, HEAD_FONT);
  const texts = new Set(cells);
  if (column.kind === "metric") texts.add(USUAL_METRIC);
  if (spreads && column.kind === "config" && texts.size > 1) texts.add(mixedText(texts.size));
  const body = [...texts].reduce((most, each) => Math.max(most, textPx(each, CELL_FONT)), 0);
  const sign = column.kind === "info" && text ? SIGN_PX : 0;
  // Dates and states are short in every language, and say nothing when they are cut.
  const most = text || column.kind === "info" ? MOST_PX.text : MOST_PX.number;
  return Math.ceil(spread + Math.min(most, Math.max(MIN_PX, PADDING_PX + Math.max(head, body + sign))));
}

const CELL_FONT = "12px";
const HEAD_FONT = "11px";
/** Rows whose names are looked at. */
const NAMED = 2000;
/** Each folder or group around a row moves it by so much. */
const INDENT_PX = 14;
/** Arrow and count of a group, its swatch, less what a run has in their place. */
const GROUP_PX = 36;
/** A sign behind a name: diverged, damaged, live, pinned. */
const BADGE_PX = 18;
/** Around the name, and what fonts differ by. */
const NAME_PX = 6;

/** The names of the rows of one depth, which are read beside each other. */
interface Level {
  depth: number;
  names: string[];
  /** What stands beside the longest of them. */
  besidePx: number;
}

/** What rows are called, and the room in which no two of them read alike; 0 where they never do. */
export interface Names {
  wholePx: number;
  /** The same for the rows of a depth. */
  wholePxOf(depth: number): number;
  /** Where each part is cut to what tells it from others. */
  shortPx(): number;
  shortOf(row: GroupRow | RunRow): string;
}

export function namesOf(rows: readonly TableRow[]): Names {
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
  const short = remember(() => new Map(all.map(({ depth, names }) => [depth, abbreviated(names)] as const)));
  const shortPx = remember(() =>
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
    const px = roomToTell(names, (text) => textPx(text, CELL_FONT));
    return px === 0 ? most : Math.max(most, Math.ceil(px) + besidePx);
  }, 0);
}

/** What a row has beside its name. */
function besidePx(row: GroupRow | RunRow): number {
  return row.depth * INDENT_PX + NAME_PX + (row.kind === "group" ? GROUP_PX : badgesPx(row));
}

function badgesPx({ facts, pinned }: RunRow): number {
  const signs = [pinned, facts.hidden, facts.archived, facts.lost, facts.run.damage_bytes > 0];
  return BADGE_PX * (signs.filter(Boolean).length + (facts.run.status === "live" ? 1 : 0));
}

/** As many of the first columns as leave room for names of which no two read alike. */
export function fitting(laid: readonly Laid[], width: number, { wholePx, shortPx }: Names): readonly Laid[] {
  const namePx = wholePx <= NAME_MIN_PX.side ? NAME_MIN_PX.side : Math.max(NAME_MIN_PX.side, shortPx());
  let room = width - LEAD_PX - namePx - EDGE_PX;
  const end = laid.findIndex(({ px }) => {
    room -= px;
    return room < 0;
  });
  return end < 0 ? laid : laid.slice(0, end);
}

/** Names do not take the room of all columns that are scrolled beside them. */
const LEAD_MOST_PX = 420;
const LEAD_MOST_PART = 0.64;
/** Of a phone, where names would read alike even by a piece of each part. */
const LEAD_SHORT_PART = 0.82;
/** On a phone the button of the menu stands beside each name. */
const MENU_PX = 24;

/** Between the names and the first column beside them. */
const GAP_PX = 8;

/** Width of box, swatch and name on a page of its own, where they stay in sight. */
export function leadPx(width: number, { wholePx, shortPx }: Names): number {
  if (width >= PHONE_PX)
    return Math.min(LEAD_PX + Math.max(NAME_MIN_PX.page, wholePx) + GAP_PX, LEAD_MOST_PX);
  const beside = LEAD_PX + MENU_PX + GAP_PX;
  const short = Math.min(beside + shortPx(), width * LEAD_SHORT_PART);
  const most = Math.max(short, width * LEAD_MOST_PART);
  return Math.round(Math.min(Math.max(LEAD_PX + NAME_MIN_PX.phone, beside + wholePx), most));
}

/** Width of all columns beside names. */
export function tableWidth(laid: readonly Laid[], lead: number): number {
  return laid.reduce((sum, { px }) => sum + px, lead + EDGE_PX);
}

/** What rows are called in a table of a width: by their names, or where those would read alike by a piece of each part. */
export function callingIn(
  { wholePxOf, shortOf }: Names,
  laid: readonly Laid[],
  width: number,
  lead?: number,
): (row: GroupRow | RunRow) => string {
  const columns = laid.reduce((sum, { px }) => sum + px, 0);
  const menuPx = lead !== undefined && width < PHONE_PX ? MENU_PX : 0;
  const gapPx = lead !== undefined ? GAP_PX : 0;
  const most = Math.max(lead ?? 0, Math.min(width - columns - EDGE_PX, LEAD_MOST_PX));
  const room = most - LEAD_PX - menuPx - gapPx;
  return (row) => (width > 0 && wholePxOf(row.depth) > room ? shortOf(row) : row.label);
}
