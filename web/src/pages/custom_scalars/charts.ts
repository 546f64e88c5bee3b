/** Charts of a layout as cards: their tags, the runs on show that hold them, and what is wrong with them. Pure. */

import type { CardPart } from "../../panels/scalars/scalar-card";
import type { CustomCategory, CustomChart } from "../../state/customscalars";
import type { Drawn } from "../../state/drawn";
import type { TagInfo } from "../../state/lists";
import type { Margin } from "../../state/margins";
import type { Pattern } from "../../state/pattern";

export interface Fault {
  /** What stands in the layout. */
  said: string;
  /** Why it means no tag; empty where there is just none that it fits. */
  why: string;
}

export interface ChartCard {
  /** Names the card in the view: no tag, and no other card, is called so. */
  name: string;
  title: string;
  parts: readonly CardPart[];
  margins: readonly Margin[] | null;
  faults: readonly Fault[];
}

export interface ChartSection {
  title: string;
  cards: readonly ChartCard[];
}

/** Stands for the pinned cards among titles, which may be anything. */
export const PINNED_TITLE = "\u0000pinned";

/** The categories whose charts pass the filter, by title or by a tag of theirs. */
export function chartSections(
  categories: readonly CustomCategory[],
  tags: readonly TagInfo[],
  drawn: Drawn,
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
          faults: faultsOf(chart),
        },
      ];
    });
    return cards.length > 0 ? [{ title, cards }] : [];
  });
}

function marginOf({ value, lower, upper }: CustomChart["margins"][number]): Margin {
  return { value, lower, upper };
}

/** Every tag once, in the order of the layout. */
function tagsOf({ patterns, margins }: CustomChart): string[] {
  const meant = patterns.flatMap((pattern) => pattern.tags);
  return [...new Set([...meant, ...margins.flatMap(({ value, lower, upper }) => [value, lower, upper])])];
}

function faultsOf({ patterns, margins }: CustomChart): Fault[] {
  const bad = patterns.filter(({ error, tags }) => error !== "" || tags.length === 0);
  return [
    ...bad.map(({ pattern, error }) => ({ said: pattern, why: error })),
    ...margins.flatMap(({ missing }) => missing.map((said) => ({ said, why: "" }))),
  ];
}
