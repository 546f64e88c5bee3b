/**
 * Line styles: the name, colour and dash of a run, or of a group of runs drawn as one line. All colours of runs come from
 * here; `card-lines.ts` decides which lines are drawn.
 */

import { memoize } from "../../lib/memoize";
import { sameItems } from "../../lib/same-items";
import type { Coloring, Paint } from "./coloring";
import type { RunDetails } from "./run-details";
import { useListedDetails } from "./run-details";
import { useColoring } from "./run-groups";
import { type RunLabels, useRunLabels } from "./run-labels";
import { type ColorScheme, slotColor, slotDash } from "./slot";

export { GROUP_BASE } from "./groups";

export interface LineStyle {
  id: number;
  /** The name in the logdir. */
  name: string;
  /** The label on screen, shortened relative to the other visible runs. */
  label: string;
  slot: number;
  /** Seconds since the epoch. */
  startWallTime: number | null;
  /** Null: by slot. */
  color: Readonly<Record<ColorScheme, string>> | null;
  /** Which of the four dash patterns; null: by slot. */
  dash: number | null;
  /** Ids of the runs a group stands for; null: this is a run. */
  members: readonly number[] | null;
}

export function colorOf({ color, slot }: Pick<LineStyle, "color" | "slot">, scheme: ColorScheme): string {
  return color ? color[scheme] : slotColor(slot, scheme);
}

export function dashOf({ dash, slot }: Pick<LineStyle, "dash" | "slot">): number {
  return dash ?? slotDash(slot);
}

/**
 * Line styles by run id. A style is the same object, and the map the same map, until something in it changes: points
 * that arrive many times a second must not update every card.
 */
export function useLineStyles(): ReadonlyMap<number, LineStyle> {
  return stylesOf(useListedDetails(), useColoring(), useRunLabels());
}

let lastStyles: ReadonlyMap<number, LineStyle> = new Map();

const stylesOf = memoize((runs: readonly RunDetails[], coloring: Coloring, { short }: RunLabels) => {
  lastStyles = reuseStyles(
    lastStyles,
    runs.map((details) => styleFrom(details, coloring.paintOf(details), short.get(details.id))),
  );
  return lastStyles;
});

function styleFrom({ id, name, label, created }: RunDetails, paint: Paint, short = label): LineStyle {
  return { id, name, label: short, startWallTime: created, ...paint, members: null };
}

/** A map of the styles that reuses equal objects of `before`, or `before` itself if all are equal. */
export function reuseStyles(
  before: ReadonlyMap<number, LineStyle>,
  lineStyles: readonly LineStyle[],
): ReadonlyMap<number, LineStyle> {
  let changed = before.size !== lineStyles.length;
  const next = new Map<number, LineStyle>();
  for (const lineStyle of lineStyles) {
    const was = before.get(lineStyle.id);
    const same = was !== undefined && sameStyle(was, lineStyle);
    changed ||= !same;
    next.set(lineStyle.id, same ? was : lineStyle);
  }
  return changed ? next : before;
}

/** The start time is ignored: it may become known later, and charts measure it from the points. */
export function sameStyle(a: LineStyle, b: LineStyle): boolean {
  return (
    a.name === b.name &&
    a.label === b.label &&
    a.slot === b.slot &&
    a.dash === b.dash &&
    a.color?.light === b.color?.light &&
    a.color?.dark === b.color?.dark &&
    sameItems(a.members ?? [], b.members ?? [])
  );
}
