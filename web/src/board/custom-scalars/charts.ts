/** Charts of a layout as cards: their tags, the visible runs that have them, and errors of the layout. Pure. */

import type { Pattern } from "../../lib/pattern";
import type { Margin } from "../cards/margins";
import type { TagInfo } from "../data/lists";
import type { CardLines } from "../runs/card-lines";
import type { CardPart } from "../scalars/scalar-card";
import type { CustomCategory, CustomChart } from "./custom-scalars";

export interface LayoutError {
  /** The pattern in the layout. */
  pattern: string;
  /** Why it is not valid; empty if it merely matches no tag. */
  reason: string;
}

export interface ChartCard {
  /** The name of the card in the view: no tag and no other card has it. */
  name: string;
  title: string;
  parts: readonly CardPart[];
  margins: readonly Margin[] | null;
  faults: readonly LayoutError[];
}

export interface ChartSection {
  title: string;
  cards: readonly ChartCard[];
}

/** The title of the section of pinned cards; titles of a layout may be anything else. */
export const PINNED_TITLE = "\u0000pinned";

/** The categories with charts that pass the filter by title or tag. */
export function chartSections(
  categories: readonly CustomCategory[],
  tags: readonly TagInfo[],
  drawn: CardLines,
  pattern: Pattern,
): ChartSection[] {
  const byName = new Map(tags.map((tag) => [tag.tag, tag]));
  return categories.flatMap(({ title, charts }) => {
    const names = new Map<string, number>();
    const cards = charts.flatMap((chart) => {
      const count = (names.get(chart.title) ?? 0) + 1;
      names.set(chart.title, count);
      const wanted = tagsOf(chart);
      if (![title, chart.title, ...wanted].some((text) => pattern.matches(text))) return [];
      const parts = wanted.flatMap((name) => {
        const tag = byName.get(name);
        return tag ? [{ tag, runs: drawn(tag) }] : [];
      });
      return [
        {
          name: `custom/${title}/${chart.title}${count > 1 ? ` (${count})` : ""}`,
          title: chart.title,
          parts,
          margins: chart.kind === "margin" ? chart.margins.map(marginOf) : null,
          faults: errorsOf(chart),
        },
      ];
    });
    return cards.length > 0 ? [{ title, cards }] : [];
  });
}

function marginOf({ value, lower, upper }: CustomChart["margins"][number]): Margin {
  return { value, lower, upper };
}

/** Each tag once, in the order of the layout. */
function tagsOf({ patterns, margins }: CustomChart): string[] {
  const matched = patterns.flatMap((pattern) => pattern.tags);
  return [...new Set([...matched, ...margins.flatMap(({ value, lower, upper }) => [value, lower, upper])])];
}

function errorsOf({ patterns, margins }: CustomChart): LayoutError[] {
  const bad = patterns.filter(({ error, tags }) => error !== "" || tags.length === 0);
  return [
    ...bad.map(({ pattern, error }) => ({ pattern, reason: error })),
    ...margins.flatMap(({ missing }) => missing.map((pattern) => ({ pattern, reason: "" }))),
  ];
}
