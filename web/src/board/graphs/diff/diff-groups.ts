/** The differences of two graphs by scope, for the list. Pure. */

import type { GraphDiff, GraphDifference, ScopeDifferences } from "../../../api/graphs";

export type DiffStatus = GraphDifference["status"];

/** Signs say what colours do. */
export const SIGNS: Record<DiffStatus, string> = { added: "+", removed: "−", renamed: "→", changed: "~" };

export const STATUSES = ["added", "removed", "renamed", "changed"] as const;

/** A scope with what differs directly in it, and how many nodes differ in all of it. */
export interface DiffGroup {
  scope: string;
  counts: ScopeDifferences;
  differences: readonly GraphDifference[];
}

/** Scopes in the order of their first difference; `hidden` statuses are left out. */
export function diffGroups(diff: GraphDiff, hidden: ReadonlySet<DiffStatus>): DiffGroup[] {
  const counts = new Map(diff.scopes.map((scope) => [scope.path, scope]));
  const groups = new Map<string, GraphDifference[]>();
  for (const difference of diff.differences) {
    if (hidden.has(difference.status)) continue;
    const group = groups.get(difference.scope);
    if (group) group.push(difference);
    else groups.set(difference.scope, [difference]);
  }
  const none = { added: 0, removed: 0, renamed: 0, changed: 0 };
  return [...groups].map(([scope, differences]) => ({
    scope,
    counts: counts.get(scope) ?? { path: scope, ...none },
    differences,
  }));
}

/** What is shown of a path below its scope; of something renamed, both names. */
export function differenceName({ scope, path, base_path: before }: GraphDifference): string {
  const last = (text: string) => text.slice(text.lastIndexOf("/") + 1);
  const name = path === null ? last(before ?? "") : scope === "" ? path : path.slice(scope.length + 1);
  return path !== null && before !== null && last(before) !== last(path) ? `${last(before)} → ${name}` : name;
}
