/** Sections and cards laid out as the rows of one long list, which the page draws only in part. Pure. */

import type { RunLook, TagInfo } from "../../state/lists";
import type { Section } from "../../state/sections";

/** A card: a tag and the runs on show that hold it. */
export interface CardItem {
  tag: string;
  info: TagInfo;
  runs: readonly RunLook[];
}

export type Row =
  | { kind: "head"; key: string; height: number; section: string; count: number; folded: boolean }
  | { kind: "cards"; key: string; height: number; cards: readonly CardItem[]; wide: boolean };

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
 * How many cards stand side by side in `width` pixels; `asked` 0 chooses: as many as fit, but no more than the
 * largest section can fill.
 */
export function columnsFor(width: number, asked: number, largest = MOST_COLUMNS): number {
  const fit = Math.max(1, Math.floor((width + GAP_PX) / (CARD_MIN_PX + GAP_PX)));
  // A phone has no room for a wish made on a desk.
  if (asked !== 0 && width >= CARD_MIN_PX * 1.5) return Math.min(asked, MOST_COLUMNS);
  return Math.min(fit, MOST_COLUMNS, Math.max(2, largest));
}

export function layRows(sections: readonly Section<CardItem>[], layout: Layout): Row[] {
  return sections.flatMap((section) => {
    const folded = layout.folded.has(section.name);
    const head: Row = {
      kind: "head",
      key: `head ${section.name}`,
      height: HEAD_PX,
      section: section.name,
      count: section.items.length,
      folded,
    };
    return folded ? [head] : [head, ...cardRows(section, layout)];
  });
}

/** A wide card takes a row of its own; the others close ranks. */
function cardRows(section: Section<CardItem>, { columns, isWide }: Layout): Row[] {
  const rows: Row[] = [];
  let line: CardItem[] = [];
  const flush = () => {
    if (line.length > 0) rows.push(cardRow(section.name, line, false));
    line = [];
  };
  for (const card of section.items) {
    if (isWide(card.tag)) {
      flush();
      rows.push(cardRow(section.name, [card], true));
      continue;
    }
    line.push(card);
    if (line.length === columns) flush();
  }
  flush();
  return rows;
}

function cardRow(section: string, cards: readonly CardItem[], wide: boolean): Row {
  const height = (wide ? WIDE_CARD_PX : CARD_PX) + GAP_PX;
  return { kind: "cards", key: `cards ${section} ${cards[0]!.tag}`, height, cards, wide };
}
