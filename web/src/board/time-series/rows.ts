/** Lays out sections and cards as rows of a virtual list. Pure. */

import { PINNED, type Section } from "../cards/sections";
import type { TagInfo } from "../data/lists";
import type { LineStyle } from "../runs/line-styles";
import type { CardPart } from "../scalars/scalar-card";
import type { CardKind } from "../view/view-state";

/** A card: a tag of a kind and the visible runs that have it. */
export interface CardItem {
  /** A unique key: kinds may share the name of a tag. */
  key: string;
  kind: CardKind;
  tag: string;
  info: TagInfo;
  runs: readonly LineStyle[];
  /** Other tags joined to it. */
  joined: readonly CardPart[];
}

/** The position of a cell in its row, in columns, and the index of its section, for the reading order. */
export interface Cell {
  column: number;
  span: number;
  order: number;
}

export interface HeadCell extends Cell {
  section: string;
  /** Its scalar tags. */
  tags: readonly string[];
  count: number;
  folded: boolean;
}

export interface CardCell extends Cell {
  card: CardItem;
  pinned: boolean;
}

export type Row =
  | { kind: "head"; key: string; height: number; heads: readonly HeadCell[] }
  | { kind: "cards"; key: string; height: number; cards: readonly CardCell[] };

export interface Layout {
  columns: number;
  folded: ReadonlySet<string>;
  /** Height of a card. */
  cardPx: number;
  isWide(tag: string): boolean;
}

export const GAP_PX = 12;
export const HEAD_PX = 36;
export const CARD_PX = { small: 200, normal: 236, tall: 320 } as const;
/** Additional height of a wide card. */
export const WIDE_MORE_PX = 156;
const CARD_MIN_PX = 300;
const MAX_COLUMNS = 6;

/**
 * The number of cards side by side in `width` pixels. `asked` 0 chooses: as few as show all sections of these `sizes`
 * in no more rows than the maximum would, but two if there is room.
 */
export function columnsFor(width: number, asked: number, sizes: readonly number[] = []): number {
  const fit = Math.max(1, Math.floor((width + GAP_PX) / (CARD_MIN_PX + GAP_PX)));
  // A phone has no room for a number chosen on a large screen.
  if (asked !== 0 && width >= CARD_MIN_PX * 1.5) return Math.min(asked, MAX_COLUMNS);
  const most = Math.min(fit, MAX_COLUMNS);
  if (sizes.length === 0) return most;
  const rows = rowsOf(sizes, most);
  let columns = most;
  while (columns > 2 && rowsOf(sizes, columns - 1) === rows) columns--;
  return columns;
}

/** The number of rows of open sections of these sizes, with small neighbours sharing one. */
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

/** Left edge and width of a cell in whole pixels, in a list of `width` pixels. */
export function cellBox({ column, span }: Cell, columns: number, width: number): [left: number, px: number] {
  const stride = (width + GAP_PX) / columns;
  const left = Math.round(column * stride);
  return [left, Math.round((column + span) * stride - GAP_PX) - left];
}

type Ordered = Section<CardItem> & { order: number };

/** Sections below each other; neighbours that fit into one row are placed side by side. */
export function layRows(sections: readonly Section<CardItem>[], layout: Layout): Row[] {
  const ordered = sections.map((section, order) => ({ ...section, order }));
  return rowGroups(ordered, layout).flatMap((group) => {
    if (group.length > 1) return sharedRows(group, layout);
    const section = group[0]!;
    const folded = layout.folded.has(section.name);
    const head = headRow([headCell(section, 0, layout.columns, folded)]);
    return folded ? [head] : [head, ...cardRows(section, layout)];
  });
}

/** Groups the sections that are placed side by side. A folded one, or one with a wide card, stays alone. */
function rowGroups(sections: readonly Ordered[], { columns, folded, isWide }: Layout): Ordered[][] {
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

/** A row of headings, each over its own cards. */
function sharedRows(group: readonly Ordered[], { cardPx }: Layout): Row[] {
  const heads: HeadCell[] = [];
  const cards: CardCell[] = [];
  for (const section of group) {
    heads.push(headCell(section, cards.length, section.items.length, false));
    for (const card of section.items) cards.push(cardCell(card, cards.length, section));
  }
  return [headRow(heads), cardRow(cards, cardPx)];
}

/** A wide card has a row of its own; the others fill the gaps. In two columns, a last single card fills its row. */
function cardRows(section: Ordered, { columns, cardPx, isWide }: Layout): Row[] {
  const rows: Row[] = [];
  let line: CardCell[] = [];
  const flush = () => {
    const left = columns === 2 && line.length === 1;
    if (line.length > 0) rows.push(cardRow(left ? [{ ...line[0]!, span: 2 }] : line, cardPx));
    line = [];
  };
  for (const card of section.items) {
    if (isWide(card.tag)) {
      flush();
      rows.push(cardRow([{ ...cardCell(card, 0, section), span: columns }], cardPx + WIDE_MORE_PX));
      continue;
    }
    line.push(cardCell(card, line.length, section));
    if (line.length === columns) flush();
  }
  flush();
  return rows;
}

function headCell(section: Ordered, column: number, span: number, folded: boolean): HeadCell {
  const { name, items, order } = section;
  return {
    section: name,
    tags: items.flatMap(({ kind, tag }) => (kind === "scalars" ? [tag] : [])),
    count: items.length,
    folded,
    column,
    span,
    order,
  };
}

function cardCell(card: CardItem, column: number, { name, order }: Ordered): CardCell {
  return { card, pinned: name === PINNED, column, span: 1, order };
}

function headRow(heads: readonly HeadCell[]): Row {
  return { kind: "head", key: `head ${heads[0]!.section}`, height: HEAD_PX, heads };
}

function cardRow(cards: readonly CardCell[], height: number): Row {
  return { kind: "cards", key: `cards ${cards[0]!.card.key}`, height: height + GAP_PX, cards };
}
