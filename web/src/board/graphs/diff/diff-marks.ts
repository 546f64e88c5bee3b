/** How boxes differ from another graph: what the two pictures of a comparison mark. Pure. */

import type { GraphBox, GraphDiff } from "../../../api/graphs";
import { ancestorsOf } from "../../view/graphs-view";
import { type DiffStatus, STATUSES } from "./diff-groups";

/** The graph itself, or the one that it is compared with. */
export type DiffSide = "graph" | "base";

export type DiffCounts = Readonly<Record<DiffStatus, number>>;

export interface DiffMark {
  /** How all of it differs; null if it is only something in it that does. */
  status: DiffStatus | null;
  /** How many nodes in it differ. */
  counts: DiffCounts;
}

interface Entry {
  status: DiffStatus;
  nodes: number;
}

const NONE: DiffCounts = { added: 0, removed: 0, renamed: 0, changed: 0 };
/** What only one of the graphs has. */
const ONE_SIDED: Record<DiffSide, DiffStatus> = { graph: "added", base: "removed" };

/** Paths of the view are those in the graph, and in the base of what only the base has. */
export class DiffMarks {
  readonly #entries: Record<DiffSide, Map<string, Entry>> = { graph: new Map(), base: new Map() };
  readonly #counts: ReadonlyMap<string, DiffCounts>;
  readonly #scopes: ReadonlySet<string>;
  readonly #removed = new Set<string>();
  /** Scopes by their names in the other graph, if these differ. */
  readonly #renamed: Record<DiffSide, Map<string, string>> = { graph: new Map(), base: new Map() };

  /** Differences of `hidden` statuses are left out. */
  constructor(diff: GraphDiff, hidden: ReadonlySet<DiffStatus>) {
    this.#counts = new Map(diff.scopes.map(({ path, ...counts }) => [path, without(counts, hidden)]));
    this.#scopes = new Set(diff.differences.map(({ scope }) => scope));
    for (const { status, path, base_path: before, nodes } of diff.differences) {
      if (status === "renamed" && path !== null && before !== null) {
        this.#renamed.graph.set(path, before);
        this.#renamed.base.set(before, path);
      }
      if (status === "removed" && before !== null) this.#removed.add(before);
      if (hidden.has(status)) continue;
      if (path !== null) this.#entries.graph.set(path, { status, nodes });
      if (before !== null) this.#entries.base.set(before, { status, nodes });
    }
  }

  /** The path in the base of what is at `path` in the view. */
  inBase(path: string): string {
    return renamed(path, this.#renamed.graph);
  }

  /** The path in the view of what is at `path` in the base. */
  inView(path: string): string {
    return renamed(path, this.#renamed.base);
  }

  /** Whether only the base has what is at `path` in the view. */
  isOnlyInBase(path: string): boolean {
    return [...ancestorsOf(path), path].some((each) => this.#removed.has(each));
  }

  /** Whether members of a stack at `path` in the view may differ from one another. */
  mayDifferIn(path: string): boolean {
    const at = path.lastIndexOf("/");
    return this.#scopes.has(path.slice(0, Math.max(0, at))) || this.#counts.has(path);
  }

  /** The mark of a box; `members` are the paths of what a stack stands for. */
  markOf(side: DiffSide, box: GraphBox, members: readonly string[] = [box.path]): DiffMark | null {
    const marks = members.map((path) => this.#markAt(side, path));
    const [first] = marks;
    if (first?.status && marks.every((mark) => mark?.status === first.status)) return first;
    const counts = { ...NONE };
    for (const mark of marks) {
      for (const status of STATUSES) counts[status] += mark?.counts[status] ?? 0;
    }
    return STATUSES.some((status) => counts[status] > 0) ? { status: null, counts } : null;
  }

  #markAt(side: DiffSide, path: string): DiffMark | null {
    const entry = this.#entries[side].get(path);
    if (entry) return { status: entry.status, counts: { ...NONE, [entry.status]: entry.nodes } };
    const status = this.#whole(side, path);
    if (status) return { status, counts: { ...NONE, [status]: 1 } };
    const counts = this.#counts.get(side === "graph" ? path : this.inView(path));
    return counts && STATUSES.some((each) => counts[each] > 0) ? { status: null, counts } : null;
  }

  /** What is in a scope that only one of the graphs has is so as well. */
  #whole(side: DiffSide, path: string): DiffStatus | null {
    const entries = this.#entries[side];
    const only = [...ancestorsOf(path), path].some((each) => entries.get(each)?.status === ONE_SIDED[side]);
    return only ? ONE_SIDED[side] : null;
  }
}

function without(counts: DiffCounts, hidden: ReadonlySet<DiffStatus>): DiffCounts {
  const shown = STATUSES.filter((status) => !hidden.has(status));
  return { ...NONE, ...Object.fromEntries(shown.map((status) => [status, counts[status]])) };
}

/** The path with the innermost scope that is renamed under its other name. */
function renamed(path: string, names: ReadonlyMap<string, string>): string {
  for (const scope of [...ancestorsOf(path), path].reverse()) {
    const other = names.get(scope);
    if (other !== undefined) return other + path.slice(scope.length);
  }
  return path;
}
