/**
 * What a chart needs of a run, or of a group of runs that stands as one line: its name, its colour, its dash. All
 * colours on the page are asked for here. Which looks are on show is the business of `drawn.ts`.
 */

import { remember } from "../base/remember";
import type { Coloring, Paint } from "./coloring";
import type { RunFacts } from "./facts";
import { useListed } from "./facts";
import { useColoring } from "./grouped";
import { type RunLabels, useRunLabels } from "./run-labels";
import { type Shade, slotColor, slotDash } from "./slot";

export { GROUP_BASE } from "./groups";

export interface RunLook {
  id: number;
  /** Who it is: the name in the logdir. */
  name: string;
  /** What it is called on screen, beside the other runs on show. */
  label: string;
  slot: number;
  /** Seconds since the epoch. */
  startWallTime: number | null;
  /** Null: by slot. */
  color: Readonly<Record<Shade, string>> | null;
  /** Which of the four dash patterns; null: by slot. */
  dash: number | null;
  /** Ids of the runs a group stands for; null: this is a run. */
  members: readonly number[] | null;
}

export function colorOf({ color, slot }: Pick<RunLook, "color" | "slot">, shade: Shade): string {
  return color ? color[shade] : slotColor(slot, shade);
}

export function dashOf({ dash, slot }: Pick<RunLook, "dash" | "slot">): number {
  return dash ?? slotDash(slot);
}

/**
 * Runs by id, as charts see them. A look is the same object, and the map the same map, as long as nothing it says
 * changes: points that come in many times a second must not touch every card.
 */
export function useLooks(): ReadonlyMap<number, RunLook> {
  return looksOf(useListed(), useColoring(), useRunLabels());
}

let kept: ReadonlyMap<number, RunLook> = new Map();

const looksOf = remember((runs: readonly RunFacts[], coloring: Coloring, { short }: RunLabels) => {
  kept = renewed(
    kept,
    runs.map((facts) => lookFrom(facts, coloring.paintOf(facts), short.get(facts.id))),
  );
  return kept;
});

function lookFrom({ id, name, label, created }: RunFacts, paint: Paint, short = label): RunLook {
  return { id, name, label: short, startWallTime: created, ...paint, members: null };
}

/** A map of `looks` that keeps the objects of `before` that say the same, or is `before` where all do. */
export function renewed(
  before: ReadonlyMap<number, RunLook>,
  looks: readonly RunLook[],
): ReadonlyMap<number, RunLook> {
  let changed = before.size !== looks.length;
  const next = new Map<number, RunLook>();
  for (const look of looks) {
    const was = before.get(look.id);
    const same = was !== undefined && sameLook(was, look);
    changed ||= !same;
    next.set(look.id, same ? was : look);
  }
  return changed ? next : before;
}

/** The start may become known later: charts measure it from the points themselves. */
export function sameLook(a: RunLook, b: RunLook): boolean {
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

export function sameItems<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}
