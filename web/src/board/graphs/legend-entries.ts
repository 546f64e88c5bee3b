/** What the colours and lines of a picture stand for, as lines of a legend. */

import type { ScopeDifferences } from "../../api/graphs";
import { bytes, shortCount } from "../../i18n/format";
import { say } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import type { GraphColoring } from "../view/graphs-view";
import type { Legend } from "./coloring";
import { SIGNS, STATUSES } from "./diff/diff-groups";
import type { DiffColors } from "./diff/mark-signs";
import { wireWidth } from "./draw";
import type { Picture } from "./geometry/picture";

export interface LegendEntry {
  label: string;
  color: string;
  /** How a line is drawn; absent if the colour is that of boxes. */
  line?: LegendLine;
}

export interface LegendLine {
  width: number;
  dashed: boolean;
}

/** An amount that colours stand for, with its unit. */
export function amountText(coloring: GraphColoring, value: number): string {
  if (coloring === "memory") return bytes(value);
  return coloring === "time" ? formatMicroseconds(value) : shortCount(value);
}

export function legendEntries(legend: Legend, coloring: GraphColoring): LegendEntry[] {
  if (legend.kind === "items") return [...legend.items];
  if (legend.kind === "none") return [];
  const { from, to, colors } = legend;
  return [
    { label: amountText(coloring, from), color: colors[0]! },
    { label: amountText(coloring, to), color: colors.at(-1)! },
  ];
}

/** How wide the lines of the smallest and the largest tensor are, and which lines are only waited for. */
export function lineEntries({ wires }: Picture, color: string): LegendEntry[] {
  const sizes = wires.flatMap(({ elements, control }) => (control || elements === null ? [] : elements));
  const entries = [...new Set([Math.min(...sizes), Math.max(...sizes)])]
    .filter(Number.isFinite)
    .map((elements): LegendEntry => {
      const width = wireWidth({ elements, control: false });
      return {
        label: say("graphs.elements", { count: shortCount(elements) }),
        color,
        line: { width, dashed: false },
      };
    });
  if (!wires.some(({ control }) => control)) return entries;
  return [...entries, { label: say("graphs.control"), color, line: { width: 1, dashed: true } }];
}

/** How many nodes of the whole graph differ, by the signs and colours of marks. */
export function differenceEntries(whole: ScopeDifferences, colors: DiffColors): LegendEntry[] {
  return STATUSES.filter((status) => whole[status] > 0).map((status) => ({
    label: `${SIGNS[status]} ${say(`graphs.diff.${status}`, { count: whole[status] })}`,
    color: colors[status],
  }));
}
