/** The rows of the table of totals: which are shown, and in which order. Pure. */

import type { TotalsRow } from "../../../api/graphs";
import { naturalOrder } from "../../../lib/natural-order";

export const COSTS = ["parameters", "trainable", "bytes", "flops"] as const;
/** What a step took that was measured: microseconds and bytes. */
export const MEASURED = ["time", "memory"] as const;
export type CostName = (typeof COSTS)[number] | (typeof MEASURED)[number];
export type SortColumn = "name" | CostName;

export interface TotalsSort {
  column: SortColumn;
  down: boolean;
}

/** A row, and what is in it. */
export interface TotalsNode {
  row: TotalsRow;
  /** The last part of the path; empty for the graph. */
  name: string;
  children: TotalsNode[];
}

export interface ShownRow {
  node: TotalsNode;
  /** Null if there is nothing in it. */
  open: boolean | null;
}

export interface TotalsFilter {
  open: ReadonlySet<string>;
  /** Null for the order of the file. */
  sort: TotalsSort | null;
  /** Words that must all occur in the path or the operation. */
  text: string;
}

/** The columns of a graph: all costs, and those measured of it. */
export function shownCosts(root: TotalsNode): CostName[] {
  return [...COSTS, ...MEASURED.filter((name) => root.row[name] !== null)];
}

/** The rows inside one another; each scope comes before what is in it. Null if there are none. */
export function totalsTree(rows: readonly TotalsRow[]): TotalsNode | null {
  const around: TotalsNode[] = [];
  let root: TotalsNode | null = null;
  for (const row of rows) {
    const parent = around[row.depth - 1];
    const prefix = parent && parent.row.path !== "" ? parent.row.path.length + 1 : 0;
    const node = { row, name: row.path.slice(prefix), children: [] };
    if (parent) parent.children.push(node);
    else root ??= node;
    around[row.depth] = node;
    around.length = row.depth + 1;
  }
  return root;
}

/** The rows to be shown: of a search all matches with the scopes around them, otherwise what is in open scopes. */
export function shownRows(root: TotalsNode, filter: TotalsFilter): ShownRow[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length > 0 ? matches(root, words) : null;
  const order = filter.sort && orderOf(filter.sort);
  const shown: ShownRow[] = [];
  const pending = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    const inside = found ? node.children.filter((child) => found.has(child)) : node.children;
    const open = found !== null || node === root || filter.open.has(node.row.path);
    shown.push({ node, open: inside.length === 0 ? null : open });
    if (!open) continue;
    pending.push(...(order ? [...inside].sort(order) : inside).toReversed());
  }
  return shown;
}

/** The nodes that match all words, and those around them. */
function matches(root: TotalsNode, words: readonly string[]): ReadonlySet<TotalsNode> {
  const found = new Set<TotalsNode>();
  const pending: { node: TotalsNode; around: readonly TotalsNode[] }[] = [{ node: root, around: [] }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, around } = next;
    const text = `${node.row.path} ${node.row.op}`.toLowerCase();
    const path = [...around, node];
    if (words.every((word) => text.includes(word))) for (const each of path) found.add(each);
    for (const child of node.children) pending.push({ node: child, around: path });
  }
  return found;
}

/** What is not known comes last in either direction. */
function orderOf({ column, down }: TotalsSort): (a: TotalsNode, b: TotalsNode) => number {
  const sign = down ? -1 : 1;
  if (column === "name") return (a, b) => sign * naturalOrder(a.name, b.name);
  return (a, b) => {
    const [one, other] = [a.row[column], b.row[column]];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return sign * (one - other);
  };
}

/** A click on a heading: numbers begin with the largest; the third click restores the order of the file. */
export function nextSort(sort: TotalsSort | null, column: SortColumn): TotalsSort | null {
  const first = column !== "name";
  if (sort?.column !== column) return { column, down: first };
  return sort.down === first ? { column, down: !first } : null;
}

/** What is open in the table after the picture has opened some scopes and closed others. */
export function followPicture(
  open: ReadonlySet<string>,
  before: readonly string[],
  now: readonly string[],
): ReadonlySet<string> {
  const closed = before.filter((path) => !now.includes(path));
  const opened = now.filter((path) => !before.includes(path));
  if (closed.length === 0 && opened.length === 0) return open;
  const next = new Set(open);
  for (const path of closed) next.delete(path);
  for (const path of opened) next.add(path);
  return next;
}
