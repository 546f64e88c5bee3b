/** The rows of the run table: pins on top, then runs as a list, in folders, or in groups. Pure. */

import { type Cell, type Column, cellOf, compareCells, type MetricValues } from "../runs/column";
import type { RunGroup, RunGroups } from "../runs/groups";
import type { RunDetails } from "../runs/run-details";
import type { SortBy } from "../view/view-state";

export type TableRow = HeadRow | GroupRow | RunRow;

/** A heading: pinned runs, all others, hidden ones. */
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
  /** Null for a folder, which charts do not know. */
  group: RunGroup | null;
  /** The members that pass the filter. */
  members: readonly RunDetails[];
}

export interface RunRow {
  kind: "run";
  key: string;
  details: RunDetails;
  depth: number;
  /** Without its parent folders. */
  label: string;
  pinned: boolean;
}

export interface Arrangement {
  pins: readonly string[];
  tree: boolean;
  grouped: RunGroups;
  /** An order was chosen; otherwise groups have their own. */
  sorted: boolean;
  /** Whether a folder or a group is open, by its key. */
  isOpen(key: string, folder: boolean): boolean;
}

/** Runs are in folders by default above this number. */
const TREE_ABOVE = 20;

/** Whether runs are in folders by default. */
export function treeByDefault(runs: readonly RunDetails[]): boolean {
  return runs.length > TREE_ABOVE && runs.some(({ name }) => name.includes("/"));
}

/** Sorted by `sort`, otherwise unchanged. The column `name` is the name. */
export function sortRuns(
  runs: readonly RunDetails[],
  sort: readonly SortBy[],
  columnOf: (id: string) => Column | null,
  metrics: MetricValues,
  byName: (a: RunDetails, b: RunDetails) => number,
): readonly RunDetails[] {
  const keys = sort.flatMap(({ column: id, down }) => {
    if (id === "name")
      return [{ order: (a: number, b: number) => (down ? -1 : 1) * byName(runs[a]!, runs[b]!) }];
    const column = columnOf(id);
    if (!column) return [];
    // Once per run, not once per comparison.
    const cells: Cell[] = runs.map((details) => cellOf(column, details, metrics));
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

export function arrange(runs: readonly RunDetails[], arrangement: Arrangement): readonly TableRow[] {
  const { pins, grouped, tree } = arrangement;
  const byName = pins.length > 0 ? new Map(runs.map((details) => [details.name, details])) : null;
  const pinned = byName ? pins.flatMap((name) => byName.get(name) ?? []) : [];
  const isPinned = new Set(pinned);
  const others = pinned.length > 0 ? runs.filter((details) => !isPinned.has(details)) : runs;
  const rest =
    grouped.groups.length > 0
      ? inGroups(others, arrangement)
      : tree
        ? inFolders(others, arrangement)
        : others.map((details) => runRow(details, 0, details.label));
  if (pinned.length === 0) return rest;
  return [
    { kind: "head", key: "pinned", what: "pinned", count: pinned.length },
    ...inGroups(pinned, { ...arrangement, grouped: wholeGroups(grouped, others) }, true),
    { kind: "head", key: "others", what: "others", count: others.length },
    ...rest,
  ];
}

function runRow(details: RunDetails, depth: number, label: string, pinned = false): RunRow {
  return { kind: "run", key: String(details.id), details, depth, label, pinned };
}

/** The groups that are completely pinned. */
function wholeGroups({ groupOf }: RunGroups, others: readonly RunDetails[]): RunGroups {
  const split = new Set(others.map(({ id }) => groupOf.get(id)));
  const whole = (group: RunGroup) => group.members.length > 1 && !split.has(group);
  return { groups: [], groupOf: new Map([...groupOf].filter(([, group]) => whole(group))) };
}

/** In a chosen order, or that of pins, a group is placed at its first member; otherwise groups come first. */
function inGroups(
  runs: readonly RunDetails[],
  { grouped, sorted: chosen, isOpen }: Arrangement,
  pinned = false,
): TableRow[] {
  const parts = new Map<RunGroup | RunDetails, RunDetails[]>();
  if (!chosen) for (const group of grouped.groups) parts.set(group, []);
  for (const details of runs) {
    const place = grouped.groupOf.get(details.id) ?? details;
    const part = parts.get(place);
    if (part) part.push(details);
    else parts.set(place, [details]);
  }
  return [...parts].flatMap(([place, members]): TableRow[] => {
    if (!("members" in place)) return [runRow(place, 0, place.label, pinned)];
    if (members.length === 0) return [];
    const key = `group ${place.id}`;
    const open = isOpen(key, false);
    const head: GroupRow = { kind: "group", key, label: place.label, depth: 0, open, group: place, members };
    return open ? [head, ...members.map((details) => runRow(details, 1, details.label, pinned))] : [head];
  });
}

interface Folder {
  path: string;
  members: RunDetails[];
  /** Folders and runs in the order of appearance. */
  items: (Folder | RunDetails)[];
  folders: Map<string, Folder>;
}

/** A folder is placed at its first run. */
function inFolders(runs: readonly RunDetails[], arrangement: Arrangement): TableRow[] {
  const root = newFolder("");
  for (const details of runs) {
    let folder = root;
    const parts = details.name.split("/");
    for (const part of parts.slice(0, -1)) {
      const path = folder.path === "" ? part : `${folder.path}/${part}`;
      let inner = folder.folders.get(part);
      if (!inner) {
        inner = newFolder(path);
        folder.folders.set(part, inner);
        folder.items.push(inner);
      }
      inner.members.push(details);
      folder = inner;
    }
    folder.items.push(details);
  }
  return root.items.flatMap((item) => folderRows(item, 0, "", arrangement));
}

function newFolder(path: string): Folder {
  return { path, members: [], items: [], folders: new Map() };
}

function folderRows(
  item: Folder | RunDetails,
  depth: number,
  above: string,
  arrangement: Arrangement,
): TableRow[] {
  if (!("items" in item)) return [runRow(item, depth, shortLabel(item, above))];
  // A folder of a single run is omitted; one that contains only a folder is merged with it.
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

function shortLabel({ label, name }: RunDetails, above: string): string {
  return label !== name || above === "" ? label : name.slice(above.length + 1);
}

/** The number of rows of the pins, without their heading. */
export function pinnedCount(rows: readonly TableRow[]): number {
  if (rows[0]?.kind !== "head" || rows[0].what !== "pinned") return 0;
  return rows.findIndex((row) => row.kind === "head" && row.what !== "pinned") - 1;
}

/** The number of pins above a pinned row: a folded group counts all of its members. */
export function pinsAbove(rows: readonly TableRow[], place: number): number {
  return rows
    .slice(1, place + 1)
    .reduce((sum, row) => sum + (row.kind === "group" ? (row.open ? 0 : row.members.length) : 1), 0);
}
