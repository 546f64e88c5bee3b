/** Graphs of models: which there are, what of one is open, and how that is changed. */

import { useQueries, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useReducer, useState } from "react";
import {
  fetchDiff,
  fetchMembers,
  fetchNode,
  fetchScope,
  fetchSummary,
  type GraphInfo,
  type GraphName,
  type GraphScope,
  searchGraph,
} from "../../api/graphs";
import { mostTellingFirst } from "../data/graph-order";
import { graphName, KIND, type RunGraph } from "../data/graphs";
import { queries } from "../data/lists";
import { useVisibleRuns } from "../runs/visible-runs";
import { type GraphsView, isWithin } from "../view/graphs-view";
import { notify } from "../view/notice";
import { change, commit, useView } from "../view/view";
import { type Tree, treeOf } from "./graphs-tree";

export type { GraphInfo, GraphName, RunGraph };
export { graphName };

/** Scopes that are not shown are kept so long. */
const KEPT_MS = 30 * 60_000;
const MEMBERS_AT_ONCE = 1000;
/** Members of a stack that are compared with those of another graph. */
const MOST_MEMBERS = 10_000;
/** More boxes at once take seconds to be laid out, and nobody can read them. */
export const MAX_BOXES = 1500;

/**
 * The graph in the address, otherwise the one of the first visible run that tells most. While logs are read, nothing stands in for a run that
 * is named.
 */
export function useChosenGraph(graphs: readonly RunGraph[], loading: boolean): RunGraph | undefined {
  const { run, tag, form } = useView((view) => view.graphs);
  const visible = useVisibleRuns();
  return useMemo(() => {
    const shown = new Set(visible);
    const graphsOf = (name: string) => mostTellingFirst(graphs.filter((each) => each.run === name));
    const ofRun = graphsOf(run);
    if (run !== "" && ofRun.length === 0 && loading) return undefined;
    const ofTag = ofRun.filter(({ info }) => info.tag === tag);
    const first = graphs.find(({ info }) => info.run !== null && shown.has(info.run)) ?? graphs[0];
    return (
      ofTag.find(({ info }) => info.form === form) ??
      ofTag[0] ??
      ofRun[0] ??
      (first && graphsOf(first.run)[0])
    );
  }, [graphs, run, tag, form, visible, loading]);
}

/** A graph never changes: another one has another key. */
const scopeQuery = (graph: GraphName, path: string) => ({
  queryKey: [KIND, "scope", graph, path],
  queryFn: ({ signal }: { signal: AbortSignal }) => fetchScope(graph, path, signal),
  retry: false,
  gcTime: KEPT_MS,
});

const memberQuery = (graph: GraphName, stack: string, member: number) => ({
  queryKey: [KIND, "member", graph, stack, member],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await fetchMembers(graph, stack, member, 1, signal)).members[0]?.path ?? stack,
  retry: false,
  gcTime: KEPT_MS,
});

export function useSummary(graph: GraphName) {
  return useQuery({
    queryKey: [KIND, "summary", graph],
    queryFn: ({ signal }) => fetchSummary(graph, signal),
  });
}

/** Nothing is fetched without a base. */
export function useDiff(graph: GraphName, base: GraphName | null) {
  return useQuery({
    queryKey: [KIND, "diff", graph, base],
    queryFn: ({ signal }) => fetchDiff(graph, base!, signal),
    enabled: base !== null,
    retry: false,
  });
}

export function useNode(graph: GraphName, path: string) {
  return useQuery({
    queryKey: [KIND, "node", graph, path],
    queryFn: ({ signal }) => fetchNode(graph, path, signal),
    enabled: path !== "",
    retry: false,
  });
}

export function useFound(graph: GraphName, text: string) {
  return useQuery({
    queryKey: [KIND, "search", graph, text],
    queryFn: ({ signal }) => searchGraph(graph, text, signal),
    enabled: text !== "",
    retry: false,
    gcTime: 60_000,
  });
}

/** Paths of the members of stacks, by the paths of these. */
export function useMembers(
  graph: GraphName,
  stacks: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const found = useQueries({
    queries: stacks.map((stack) => ({
      queryKey: [KIND, "members", graph, stack],
      queryFn: ({ signal }: { signal: AbortSignal }) => memberPaths(graph, stack, signal),
      retry: false,
      gcTime: KEPT_MS,
    })),
    combine: allData,
  });
  return useMemo(() => {
    const members = stacks.map((stack, at) => [stack, found[at]] as const);
    return new Map(members.flatMap(([stack, paths]) => (paths ? [[stack, paths] as const] : [])));
  }, [stacks, found]);
}

function allData(results: readonly { data?: readonly string[] | undefined }[]) {
  return results.map(({ data }) => data);
}

async function memberPaths(graph: GraphName, stack: string, signal: AbortSignal): Promise<string[]> {
  const paths: string[] = [];
  for (;;) {
    const page = await fetchMembers(graph, stack, paths.length, MEMBERS_AT_ONCE, signal);
    paths.push(...page.members.map(({ path }) => path));
    if (page.members.length === 0 || paths.length >= Math.min(page.total, MOST_MEMBERS)) return paths;
  }
}

export interface TreeResult extends Tree {
  /** A scope could not be fetched. */
  error: Error | null;
  retry(): void;
}

/** The open scopes; what is missing of them is fetched. */
export function useGraphTree(graph: GraphName, view: Pick<GraphsView, "open" | "members">): TreeResult {
  const [arrived, refresh] = useReducer((times: number) => times + 1, 0);
  const [error, setError] = useState<Error | null>(null);
  const { open, members } = view;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has arrived is in the cache of queries
  const tree = useMemo(
    () =>
      treeOf({
        open,
        members,
        scopeAt: (path) => queries.getQueryData<GraphScope>(scopeQuery(graph, path).queryKey) ?? null,
        memberAt: (stack, member) =>
          queries.getQueryData<string>(memberQuery(graph, stack, member).queryKey) ?? null,
      }),
    [graph, open, members, arrived],
  );
  useEffect(() => {
    let stale = false;
    setError(null);
    const wanted = [
      ...tree.missingScopes.map((path) => queries.fetchQuery(scopeQuery(graph, path))),
      ...tree.missingMembers.map(({ stack, member }) =>
        queries.fetchQuery(memberQuery(graph, stack, member)),
      ),
    ];
    if (wanted.length === 0) return;
    Promise.all(wanted).then(
      () => !stale && refresh(),
      (fault: Error) => !stale && setError(fault),
    );
    return () => {
      stale = true;
    };
  }, [graph, tree]);
  return useMemo(() => ({ ...tree, error, retry: refresh }), [tree, error]);
}

type How = typeof commit;

export function showGraphs(patch: Partial<GraphsView>, how: How = commit): void {
  how({ graphs: { ...useView.getState().graphs, ...patch } });
}

export function tellFault(fault: unknown): void {
  notify("graphs.failed", { why: fault instanceof Error ? fault.message : String(fault) });
}

/** Selects a box without a step of its own in the browser's history; "" for none. */
export function selectBox(path: string): void {
  if (useView.getState().graphs.selected !== path) showGraphs({ selected: path }, change);
}

/** A box that can be opened; `content` is the path of what it shows. */
export interface Openable {
  path: string;
  content: string;
}

export function openBox(openNow: readonly string[], path: string): void {
  showGraphs({ open: [...openNow, path], selected: path });
}

export function closeBox(openNow: readonly string[], { path, content }: Openable): void {
  const open = openNow.filter((each) => each !== path && !isWithin(each, path) && !isWithin(each, content));
  showGraphs({ open, selected: path });
}

/** Shows another member of an open stack; what is open in this one is open in that one as well. */
export async function showMember(
  graph: GraphName,
  openNow: readonly string[],
  { path, content }: Openable,
  member: number,
): Promise<void> {
  const next = await queries.fetchQuery(memberQuery(graph, path, member));
  const moved = (each: string) => (isWithin(each, content) ? next + each.slice(content.length) : each);
  const { members, selected } = useView.getState().graphs;
  showGraphs(
    { open: openNow.map(moved), members: { ...members, [path]: member }, selected: moved(selected) },
    change,
  );
}

/**
 * Opens the scopes around a path, as far as they can be shown, and selects it. A member of a stack is selected as the stack,
 * or as itself in the open stack if that is wanted. Without `how`, only what opens scopes is a step in the history.
 */
export async function revealPath(
  graph: GraphName,
  openNow: readonly string[],
  path: string,
  { opensStack = false, how = null }: { opensStack?: boolean; how?: How | null } = {},
): Promise<string> {
  const open = new Set(openNow);
  const members = { ...useView.getState().graphs.members };
  let scope = "";
  let selected = path;
  for (;;) {
    const { boxes } = await queries.fetchQuery(scopeQuery(graph, scope));
    if (boxes.some((box) => box.path === path)) break;
    const around = boxes
      .filter((box) => box.opens && box.kind !== "stack" && isWithin(path, box.path))
      .sort((a, b) => b.path.length - a.path.length)[0];
    if (around) {
      open.add(around.path);
      scope = around.path;
      continue;
    }
    const stacks = boxes.filter(({ kind }) => kind === "stack").map((box) => box.path);
    const member = await memberAround(graph, stacks, path);
    if (!member) break;
    members[member.stack] = member.at;
    const opens = opensStack && boxes.some((box) => box.path === member.stack && box.opens);
    if (member.path === path && opens) {
      open.add(member.stack);
      break;
    }
    if (member.path === path) {
      selected = member.stack;
      break;
    }
    open.add(member.stack);
    scope = member.path;
  }
  const openPaths = [...open];
  const changed = openPaths.length !== openNow.length || members !== useView.getState().graphs.members;
  showGraphs({ open: openPaths, members, selected }, how ?? (changed ? commit : change));
  return selected;
}

async function memberAround(
  graph: GraphName,
  stacks: readonly string[],
  path: string,
): Promise<{ stack: string; at: number; path: string } | null> {
  for (const stack of stacks) {
    const parent = stack.slice(0, stack.lastIndexOf("/") + 1);
    if (!path.startsWith(parent)) continue;
    for (let start = 0, total = 1; start < total; start += MEMBERS_AT_ONCE) {
      const page = await fetchMembers(graph, stack, start, MEMBERS_AT_ONCE);
      total = page.total;
      const at = page.members.findIndex((each) => each.path === path || isWithin(path, each.path));
      const found = page.members[at];
      if (found) return { stack, at: start + at, path: found.path };
      if (page.members.length === 0) break;
    }
  }
  return null;
}

/** Opens everything down to a depth; 1 is the graph with all its boxes closed. False if that is too much. */
export async function openToDepth(graph: GraphName, depth: number): Promise<boolean> {
  const open: string[] = [];
  let boxes = 0;
  let level = [""];
  for (let at = 1; at <= depth && level.length > 0; at++) {
    const scopes = await Promise.all(level.map((path) => queries.fetchQuery(scopeQuery(graph, path))));
    boxes += scopes.reduce((sum, scope) => sum + scope.boxes.length, 0);
    if (boxes > MAX_BOXES) return false;
    level = scopes.flatMap((scope) => scope.boxes.filter(({ opens }) => opens).map(({ path }) => path));
    if (at < depth) open.push(...level);
  }
  showGraphs({ open, members: {}, selected: "" });
  return true;
}
