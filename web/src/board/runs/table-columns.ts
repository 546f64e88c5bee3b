/** The columns of the run table: those chosen or the defaults, their order and width. */

import { create } from "zustand";
import { memoize } from "../../lib/memoize";
import { naturalOrder } from "../../lib/natural-order";
import { type TagInfo, useTags } from "../data/lists";
import { change, commit, useView } from "../view/view";
import type { SortBy } from "../view/view-state";
import { type Column, configColumn, infoColumn, metricColumn, parseColumn } from "./column";
import { objectiveOf } from "./direction";
import { type RunDetails, useListedDetails } from "./run-details";

/** In the side bar there is room for a few columns, on the Runs page for many. */
export type TablePlacement = "side" | "page";

const WIDTHS_KEY = "lightboard.columns";
const MIN_PX = 40;
const MAX_PX = 480;
const MAX_CONFIG = { side: 4, page: 12 } as const;
/** The share of runs that must have a hyperparameter for its column to be a default. */
const USUAL_PART = 0.2;
const MAX_METRICS = { side: 1, page: 4 } as const;

/** Common hyperparameters, which come first. */
const FIRST_KEYS = [
  /^(lr|learning_?rate)$/i,
  /(^|[._/])(lr|learning_?rate)$/i,
  /^(bs|batch_?size)$/i,
  /^optim/i,
];
/** Metrics on held-out data. */
const HELD_OUT = /(^|\/|_)(eval|val|valid|validation|test)[/_]/i;

export function useTableColumns(room: TablePlacement): readonly Column[] {
  const chosen = chosenColumns(useView((view) => view.table));
  const usual = usualFor[room](useListedDetails(), useTags());
  return chosen.length > 0 ? chosen : usual;
}

/** Memoized per place, as both tables may be on the page. */
const usualFor: Record<
  TablePlacement,
  (runs: readonly RunDetails[], tags: readonly TagInfo[]) => readonly Column[]
> = {
  side: memoize((runs, tags) => usualColumns(runs, tags, "side")),
  page: memoize((runs, tags) => usualColumns(runs, tags, "page")),
};

const chosenColumns = memoize((ids: readonly string[]): readonly Column[] =>
  ids.flatMap((id) => parseColumn(id) ?? []),
);

/** The last columns: objects that are new with each point must not change the columns. */
const steady = new Map<TablePlacement, readonly Column[]>();

export function usualColumns(
  runs: readonly RunDetails[],
  tags: readonly TagInfo[],
  room: TablePlacement,
): readonly Column[] {
  const columns = [
    ...(room === "page" ? [infoColumn("status"), infoColumn("created"), infoColumn("duration")] : []),
    ...keyMetrics(tags, runs.length)
      .slice(0, MAX_METRICS[room])
      .map((tag) => metricColumn(tag, "last")),
    ...differingKeys(runs)
      .filter((key) => isUsual(key, runs))
      .slice(0, MAX_CONFIG[room])
      .map(configColumn),
    infoColumn("step"),
  ];
  const before = steady.get(room);
  if (before?.map(({ id }) => id).join("\n") === columns.map(({ id }) => id).join("\n")) return before;
  steady.set(room, columns);
  return columns;
}

/** Leaves out a column that is empty for nearly all runs. */
function isUsual(key: string, runs: readonly RunDetails[]): boolean {
  const holders = runs.reduce((sum, { config }) => sum + (Object.hasOwn(config, key) ? 1 : 0), 0);
  return holders >= USUAL_PART * runs.length;
}

/** How likely a tag is the training objective, 0 the most; below 0 nothing suggests it. */
export function metricRank(tag: string): number {
  const aim = objectiveOf(tag);
  if (aim === null) return -1;
  return (HELD_OUT.test(tag) ? 0 : 2) + (aim === "loss" ? 0 : 1);
}

/** Tags that most runs have and that look like objectives. */
function keyMetrics(tags: readonly TagInfo[], runs: number): string[] {
  const ranked = tags.flatMap(({ tag, runs: holders }) => {
    const rank = metricRank(tag);
    return rank < 0 || holders.length * 2 < runs ? [] : [{ tag, rank }];
  });
  return ranked.toSorted((a, b) => a.rank - b.rank || naturalOrder(a.tag, b.tag)).map(({ tag }) => tag);
}

/** Hyperparameters that differ between runs, common ones first. */
export const differingKeys = memoize((runs: readonly RunDetails[]): readonly string[] => {
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

/** Adds or removes a column; `shown` are the current columns. */
export function toggleColumn(shown: readonly Column[], id: string): void {
  const ids = shown.map((column) => column.id);
  setColumns(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]);
}

/** Moves a column to an index, as dragging does: one undo step, however far. */
export function moveColumn(shown: readonly Column[], id: string, to: number): void {
  const ids = shown.map((column) => column.id).filter((each) => each !== id);
  ids.splice(Math.max(0, to), 0, id);
  change({ table: ids });
}

/** Sets the columns. An empty list would mean the defaults, so the last column stays. */
export function setColumns(ids: readonly string[]): void {
  const { sort } = useView.getState();
  if (ids.length > 0)
    commit({ table: ids, sort: sort.filter(({ column }) => column === "name" || ids.includes(column)) });
}

/** Cycles a column through ascending, descending and unsorted. `also` appends it to the current order. */
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

/** Widths that the user chose, stored in this browser. */
export const useWidths = create<Widths>()(() => ({ px: storedWidths() }));

export function setWidth(id: string, px: number): void {
  const next = { ...useWidths.getState().px, [id]: Math.round(Math.min(MAX_PX, Math.max(MIN_PX, px))) };
  useWidths.setState({ px: next });
  try {
    localStorage.setItem(WIDTHS_KEY, JSON.stringify(next));
  } catch {
    // Storage may be forbidden; the widths then last as long as the page.
  }
}

function storedWidths(): Record<string, number> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(WIDTHS_KEY) ?? "{}");
    if (typeof stored !== "object" || stored === null) return {};
    return Object.fromEntries(Object.entries(stored).filter(([, px]) => Number.isFinite(px)));
  } catch {
    return {};
  }
}
