/** Sections and cards laid out as the rows of one long list, which the page draws only in part. Pure. */

import type { TagInfo } from "../../state/lists";
import type { RunLook } from "../../state/looks";
import type { Section } from "../../state/sections";

/** A card: a tag and the runs on show that hold it. */
export interface CardItem {
  tag: string;
  info: TagInfo;
  runs: readonly RunLook[];
}

/** Where something stands in a row, in columns, and the place of its section among all: the order of reading. */
export interface Cell {
  column: number;
  span: number;
  order: number;
}

export interface HeadCell extends Cell {
  section: string;
  count: number;
  folded: boolean;
}

export interface CardCell extends Cell {
  card: CardItem;
}

export type Row =
  | { kind: "head"; key: string; height: number; heads: readonly HeadCell[] }
  | { kind: "cards"; key: string; height: number; cards: readonly CardCell[] };

export interface Layout {
  columns: number;
  folded: ReadonlySet<string>;
  isWide(tag: string): boolean;
}

export const GAP_PX = 12;
export const HEAD_PX = 36;
export const CARD_PX = 236;
export const WIDE_CARD_PX = 392;
const CARD_MIN_PX = 300;
const MOST_COLUMNS = 6;

/**
 * How many cards stand side by side in `width` pixels; `asked` 0 chooses: as few as show all sections of these `sizes`
 * in no more rows than the most that fit, but two if there is room.
 */
export function columnsFor(width: number, asked: number, sizes: readonly number[] = []): number {
  const fit = Math.max(1, Math.floor((width + GAP_PX) / (CARD_MIN_PX + GAP_PX)));
  // A phone has no room for a wish made on a desk.
  if (asked !== 0 && width >= CARD_MIN_PX * 1.5) return Math.min(asked, MOST_COLUMNS);
  const most = Math.min(fit, MOST_COLUMNS);
  if (sizes.length === 0) return most;
  const rows = rowsOf(sizes, most);
  let columns = most;
  while (columns > 2 && rowsOf(sizes, columns - 1) === rows) columns--;
  return columns;
}

/** Rows of cards that open sections of these sizes take, small neighbours sharing one. */
function rowsOf(sizes: readonly number[], columns: number): number {
  let rows = 0;
  let room = 0;
  for (const size of sizes) {
    if (size > room) {
      rows += Math.ceil(size / columns);
      room = columns;
    }
    room -= size;
  }
  return rows;
}

/** Left edge and width in whole pixels of a cell in a list of `width` pixels. */
export function cellBox({ column, span }: Cell, columns: number, width: number): [left: number, px: number] {
  const stride = (width + GAP_PX) / columns;
  const left = Math.round(column * stride);
  return [left, Math.round((column + span) * stride - GAP_PX) - left];
}

type Ordered = Section<CardItem> & { order: number };

/** Sections one below the other; neighbours that fit into one row together stand side by side. */
export function layRows(sections: readonly Section<CardItem>[], layout: Layout): Row[] {
  const ordered = sections.map((section, order) => ({ ...section, order }));
  return shelves(ordered, layout).flatMap((shelf) => {
    if (shelf.length > 1) return sharedRows(shelf);
    const section = shelf[0]!;
    const folded = layout.folded.has(section.name);
    const head = headRow([headCell(section, 0, layout.columns, folded)]);
    return folded ? [head] : [head, ...cardRows(section, layout)];
  });
}

/** Sections in the groups that stand side by side. A folded one, or one with a wide card, stands alone. */
function shelves(sections: readonly Ordered[], { columns, folded, isWide }: Layout): Ordered[][] {
  const found: Ordered[][] = [];
  let room = 0;
  for (const section of sections) {
    const { name, items } = section;
    const alone = folded.has(name) || items.some((card) => isWide(card.tag));
    if (!alone && items.length <= room) found.at(-1)!.push(section);
    else {
      found.push([section]);
      room = alone ? 0 : columns;
    }
    room -= items.length;
  }
  return found;
}

/** A row of heads, each over its own cards. */
function sharedRows(shelf: readonly Ordered[]): Row[] {
  const heads: HeadCell[] = [];
  const cards: CardCell[] = [];
  for (const section of shelf) {
    heads.push(headCell(section, cards.length, section.items.length, false));
    for (const card of section.items) cards.push(cardCell(card, cards.length, section));
  }
  return [headRow(heads), cardRow(cards, CARD_PX)];
}

/** A wide card takes a row of its own; the others close ranks. */
function cardRows(section: Ordered, { columns, isWide }: Layout): Row[] {
  const rows: Row[] = [];
  let line: CardCell[] = [];
  const flush = () => {
    if (line.length > 0) rows.push(cardRow(line, CARD_PX));
    line = [];
  };
  for (const card of section.items) {
    if (isWide(card.tag)) {
      flush();
      rows.push(cardRow([{ ...cardCell(card, 0, section), span: columns }], WIDE_CARD_PX));
      continue;
    }
    line.push(cardCell(card, line.length, section));
    if (line.length === columns) flush();
  }
  flush();
  return rows;
}

function headCell(section: Ordered, column: number, span: number, folded: boolean): HeadCell {
  return { section: section.name, count: section.items.length, folded, column, span, order: section.order };
}

function cardCell(card: CardItem, column: number, { order }: Ordered): CardCell {
  return { card, column, span: 1, order };
}

function headRow(heads: readonly HeadCell[]): Row {
  return { kind: "head", key: `head ${heads[0]!.section}`, height: HEAD_PX, heads };
}

function cardRow(cards: readonly CardCell[], height: number): Row {
  return { kind: "cards", key: `cards ${cards[0]!.card.tag}`, height: height + GAP_PX, cards };
}
