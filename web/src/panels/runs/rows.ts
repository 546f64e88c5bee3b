/** The rows of the run table: pins on top, then runs one below the other, in folders, or in groups. Pure. */

import { type Cell, type Column, cellOf, compareCells, type MetricValues } from "../../state/column";
import type { RunFacts } from "../../state/facts";
import type { Grouped, RunGroup } from "../../state/groups";
import type { SortBy } from "../../state/viewstate";

export type TableRow = HeadRow | GroupRow | RunRow;

/** Says what follows: pinned runs, all the others, those put aside. */
export interface HeadRow {
  kind: "head";
  key: string;
  what: "pinned" | "others" | "aside";
  count: number;
}

export interface GroupRow {
  kind: "group";
  key: string;
  label: string;
  depth: number;
  open: boolean;
  /** Null: a folder, which charts know nothing of. */
  group: RunGroup | null;
  /** The members that the filter leaves. */
  members: readonly RunFacts[];
}

export interface RunRow {
  kind: "run";
  key: string;
  facts: RunFacts;
  depth: number;
  /** Without the folders it stands in. */
  label: string;
  pinned: boolean;
}

export interface Arrangement {
  pins: readonly string[];
  tree: boolean;
  grouped: Grouped;
  /** Somebody chose an order; else groups stand in their own. */
  sorted: boolean;
  /** Whether a folder or a group is open, by its key. */
  isOpen(key: string, folder: boolean): boolean;
}

/** Folders are worth their rows above this many runs. */
const TREE_ABOVE = 20;

/** Whether runs stand in folders if nobody chose. */
export function treeByDefault(runs: readonly RunFacts[]): boolean {
  return runs.length > TREE_ABOVE && runs.some(({ name }) => name.includes("/"));
}

/** Sorted by `sort`, else as they come. A column `name` is the name. */
export function sorted(
  runs: readonly RunFacts[],
  sort: readonly SortBy[],
  columnOf: (id: string) => Column | null,
  metrics: MetricValues,
  byName: (a: RunFacts, b: RunFacts) => number,
): readonly RunFacts[] {
  const keys = sort.flatMap(({ column: id, down }) => {
    if (id === "name")
      return [{ order: (a: number, b: number) => (down ? -1 : 1) * byName(runs[a]!, runs[b]!) }];
    const column = columnOf(id);
    if (!column) return [];
    // Once per run, not once per comparison.
    const cells: Cell[] = runs.map((facts) => cellOf(column, facts, metrics));
    return [{ order: (a: number, b: number) => compareCells(cells[a]!, cells[b]!, down) }];
  });
  if (keys.length === 0) return runs;
  const places = runs.map((_, at) => at);
  places.sort((a, b) => {
    for (const { order } of keys) {
      const found = order(a, b);
      if (found !== 0) return found;
    }
    return a - b;
  });
  return places.map((at) => runs[at]!);
}

export function arrange(runs: readonly RunFacts[], arrangement: Arrangement): readonly TableRow[] {
  const { pins, grouped, tree } = arrangement;
  const byName = pins.length > 0 ? new Map(runs.map((facts) => [facts.name, facts])) : null;
  const pinned = byName ? pins.flatMap((name) => byName.get(name) ?? []) : [];
  const isPinned = new Set(pinned);
  const others = pinned.length > 0 ? runs.filter((facts) => !isPinned.has(facts)) : runs;
  const rest =
    grouped.groups.length > 0
      ? inGroups(others, arrangement)
      : tree
        ? inFolders(others, arrangement)
        : others.map((facts) => runRow(facts, 0, facts.label));
  if (pinned.length === 0) return rest;
  return [
    { kind: "head", key: "pinned", what: "pinned", count: pinned.length },
    ...inGroups(pinned, { ...arrangement, grouped: wholly(grouped, others) }, true),
    { kind: "head", key: "others", what: "others", count: others.length },
    ...rest,
  ];
}

function runRow(facts: RunFacts, depth: number, label: string, pinned = false): RunRow {
  return { kind: "run", key: String(facts.id), facts, depth, label, pinned };
}

/** The groups that are pinned: those of several runs that have nobody among the others. */
function wholly({ groupOf }: Grouped, others: readonly RunFacts[]): Grouped {
  const split = new Set(others.map(({ id }) => groupOf.get(id)));
  const whole = (group: RunGroup) => group.members.length > 1 && !split.has(group);
  return { groups: [], groupOf: new Map([...groupOf].filter(([, group]) => whole(group))) };
}

/** In a chosen order, as in that of pins, a group stands where its first member would; else groups come first. */
function inGroups(
  runs: readonly RunFacts[],
  { grouped, sorted: chosen, isOpen }: Arrangement,
  pinned = false,
): TableRow[] {
  const parts = new Map<RunGroup | RunFacts, RunFacts[]>();
  if (!chosen) for (const group of grouped.groups) parts.set(group, []);
  for (const facts of runs) {
    const place = grouped.groupOf.get(facts.id) ?? facts;
    const part = parts.get(place);
    if (part) part.push(facts);
    else parts.set(place, [facts]);
  }
  return [...parts].flatMap(([place, members]): TableRow[] => {
    if (!("members" in place)) return [runRow(place, 0, place.label, pinned)];
    if (members.length === 0) return [];
    const key = `group ${place.id}`;
    const open = isOpen(key, false);
    const head: GroupRow = { kind: "group", key, label: place.label, depth: 0, open, group: place, members };
    return open ? [head, ...members.map((facts) => runRow(facts, 1, facts.label, pinned))] : [head];
  });
}

interface Folder {
  path: string;
  members: RunFacts[];
  /** Folders and runs in the order they were met. */
  items: (Folder | RunFacts)[];
  folders: Map<string, Folder>;
}

/** A folder stands where its first run would. */
function inFolders(runs: readonly RunFacts[], arrangement: Arrangement): TableRow[] {
  const root = newFolder("");
  for (const facts of runs) {
    let folder = root;
    const parts = facts.name.split("/");
    for (const part of parts.slice(0, -1)) {
      const path = folder.path === "" ? part : `${folder.path}/${part}`;
      let inner = folder.folders.get(part);
      if (!inner) {
        inner = newFolder(path);
        folder.folders.set(part, inner);
        folder.items.push(inner);
      }
      inner.members.push(facts);
      folder = inner;
    }
    folder.items.push(facts);
  }
  return root.items.flatMap((item) => folderRows(item, 0, "", arrangement));
}

function newFolder(path: string): Folder {
  return { path, members: [], items: [], folders: new Map() };
}

function folderRows(
  item: Folder | RunFacts,
  depth: number,
  above: string,
  arrangement: Arrangement,
): TableRow[] {
  if (!("items" in item)) return [runRow(item, depth, shortLabel(item, above))];
  // A folder for one run alone says nothing that its name does not; one of nothing but a folder is one with it.
  if (item.members.length === 1)
    return [runRow(item.members[0]!, depth, shortLabel(item.members[0]!, above))];
  let folder = item;
  while (folder.items.length === 1 && "items" in folder.items[0]!) folder = folder.items[0];
  const key = `folder ${folder.path}`;
  const open = arrangement.isOpen(key, true);
  const label = folder.path.slice(above === "" ? 0 : above.length + 1);
  const head: GroupRow = { kind: "group", key, label, depth, open, group: null, members: folder.members };
  if (!open) return [head];
  return [head, ...folder.items.flatMap((inner) => folderRows(inner, depth + 1, folder.path, arrangement))];
}

function shortLabel({ label, name }: RunFacts, above: string): string {
  return label !== name || above === "" ? label : name.slice(above.length + 1);
}

/** How many rows the pins take, without their head. */
export function pinnedCount(rows: readonly TableRow[]): number {
  if (rows[0]?.kind !== "head" || rows[0].what !== "pinned") return 0;
  return rows.findIndex((row) => row.kind === "head" && row.what !== "pinned") - 1;
}

/** How many pins stand above that row of theirs: a group that is folded is all of its members. */
export function pinsAbove(rows: readonly TableRow[], place: number): number {
  return rows
    .slice(1, place + 1)
    .reduce((sum, row) => sum + (row.kind === "group" ? (row.open ? 0 : row.members.length) : 1), 0);
}
