/** The columns of the run table: those chosen, or the usual ones; their order and width. */

import { create } from "zustand";
import { remember } from "../base/remember";
import { type Column, configColumn, infoColumn, metricColumn, parseColumn } from "./column";
import { aimOf } from "./direction";
import { type RunFacts, useListed } from "./facts";
import { type TagInfo, useTags } from "./lists";
import { naturalOrder } from "./natural";
import { change, commit, useView } from "./view";
import type { SortBy } from "./viewstate";

/** Beside the charts there is room for little, on a page of its own for much. */
export type Room = "side" | "page";

const WIDTHS_KEY = "lightboard.columns";
const MIN_PX = 40;
const MAX_PX = 480;
const MOST_CONFIG = { side: 4, page: 12 } as const;
/** Part of the runs that must hold a hyper-parameter for it to be shown unasked. */
const USUAL_PART = 0.2;
const MOST_METRICS = { side: 1, page: 4 } as const;

/** Hyper-parameters people ask for first. */
const FIRST_KEYS = [
  /^(lr|learning_?rate)$/i,
  /(^|[._/])(lr|learning_?rate)$/i,
  /^(bs|batch_?size)$/i,
  /^optim/i,
];
/** What was measured on data held out. */
const HELD_OUT = /(^|\/|_)(eval|val|valid|validation|test)[/_]/i;

export function useTableColumns(room: Room): readonly Column[] {
  const chosen = chosenColumns(useView((view) => view.table));
  const usual = usualFor[room](useListed(), useTags());
  return chosen.length > 0 ? chosen : usual;
}

/** Each room remembers its own: a sheet of one may lie beside the other. */
const usualFor: Record<Room, (runs: readonly RunFacts[], tags: readonly TagInfo[]) => readonly Column[]> = {
  side: remember((runs, tags) => usualColumns(runs, tags, "side")),
  page: remember((runs, tags) => usualColumns(runs, tags, "page")),
};

const chosenColumns = remember((ids: readonly string[]): readonly Column[] =>
  ids.flatMap((id) => parseColumn(id) ?? []),
);

/** Objects that come and go with each point must not change the columns. */
const steady = new Map<Room, readonly Column[]>();

export function usualColumns(
  runs: readonly RunFacts[],
  tags: readonly TagInfo[],
  room: Room,
): readonly Column[] {
  const columns = [
    ...(room === "page" ? [infoColumn("status"), infoColumn("created"), infoColumn("duration")] : []),
    ...keyMetrics(tags, runs.length)
      .slice(0, MOST_METRICS[room])
      .map((tag) => metricColumn(tag, "last")),
    ...differing(runs)
      .filter((key) => isUsual(key, runs))
      .slice(0, MOST_CONFIG[room])
      .map(configColumn),
    infoColumn("step"),
  ];
  const before = steady.get(room);
  if (before?.map(({ id }) => id).join("\n") === columns.map(({ id }) => id).join("\n")) return before;
  steady.set(room, columns);
  return columns;
}

/** A column that is empty for nearly all runs is not worth its place. */
function isUsual(key: string, runs: readonly RunFacts[]): boolean {
  const holders = runs.reduce((sum, { config }) => sum + (Object.hasOwn(config, key) ? 1 : 0), 0);
  return holders >= USUAL_PART * runs.length;
}

/** How likely one trains for a tag, 0 the most; below 0 nothing says so. */
export function metricRank(tag: string): number {
  const aim = aimOf(tag);
  if (aim === null) return -1;
  return (HELD_OUT.test(tag) ? 0 : 2) + (aim === "loss" ? 0 : 1);
}

/** Tags that most runs hold and that look like what one trains for. */
function keyMetrics(tags: readonly TagInfo[], runs: number): string[] {
  const ranked = tags.flatMap(({ tag, runs: holders }) => {
    const rank = metricRank(tag);
    return rank < 0 || holders.length * 2 < runs ? [] : [{ tag, rank }];
  });
  return ranked.toSorted((a, b) => a.rank - b.rank || naturalOrder(a.tag, b.tag)).map(({ tag }) => tag);
}

/** Hyper-parameters in which runs differ, those people ask for first in front. */
export const differing = remember((runs: readonly RunFacts[]): readonly string[] => {
  const first = new Map<string, unknown>();
  const apart = new Set<string>();
  for (const { config } of runs)
    for (const [key, value] of Object.entries(config)) {
      if (!first.has(key)) first.set(key, value);
      else if (!Object.is(first.get(key), value)) apart.add(key);
    }
  for (const key of first.keys()) if (runs.some(({ config }) => !Object.hasOwn(config, key))) apart.add(key);
  const rank = (key: string) => {
    const place = FIRST_KEYS.findIndex((pattern) => pattern.test(key));
    return place < 0 ? FIRST_KEYS.length : place;
  };
  return [...first.keys()].filter((key) => apart.has(key)).toSorted((a, b) => rank(a) - rank(b));
});

/** Puts a column in or takes it out; `shown` are the columns as they stand. */
export function toggleColumn(shown: readonly Column[], id: string): void {
  const ids = shown.map((column) => column.id);
  setColumns(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]);
}

/** Moves a column to the place of another, as dragging does: one step, however many places. */
export function moveColumn(shown: readonly Column[], id: string, to: number): void {
  const ids = shown.map((column) => column.id).filter((each) => each !== id);
  ids.splice(Math.max(0, to), 0, id);
  change({ table: ids });
}

/** No column at all would mean the usual ones: the last stays. */
export function setColumns(ids: readonly string[]): void {
  const { sort } = useView.getState();
  if (ids.length > 0)
    commit({ table: ids, sort: sort.filter(({ column }) => column === "name" || ids.includes(column)) });
}

/** Sorts by a column: up, down, as they come. `also`: after what it is sorted by already. */
export function sortBy(column: string, also: boolean): void {
  const { sort } = useView.getState();
  const now = sort.find((each) => each.column === column);
  const others = also ? sort.filter((each) => each.column !== column) : [];
  if (now?.down) {
    commit({ sort: others });
    return;
  }
  const next: SortBy = { column, down: now !== undefined };
  const at = also ? sort.findIndex((each) => each.column === column) : -1;
  commit({ sort: at < 0 ? [...others, next] : sort.with(at, next) });
}

interface Widths {
  px: Readonly<Record<string, number>>;
}

/** Widths chosen by hand, kept on this machine. */
export const useWidths = create<Widths>()(() => ({ px: keptWidths() }));

export function setWidth(id: string, px: number): void {
  const next = { ...useWidths.getState().px, [id]: Math.round(Math.min(MAX_PX, Math.max(MIN_PX, px))) };
  useWidths.setState({ px: next });
  try {
    localStorage.setItem(WIDTHS_KEY, JSON.stringify(next));
  } catch {
    // Storage may be forbidden; the widths then last as long as the page.
  }
}

function keptWidths(): Record<string, number> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(WIDTHS_KEY) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter(([, px]) => Number.isFinite(px)));
  } catch {
    return {};
  }
}
