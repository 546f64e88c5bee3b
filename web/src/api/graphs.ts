/** Graphs of models: which there are, one scope at a time, single nodes, and search. */

import { apiUrl, getJson, postJson } from "./client";
import type {
  DiffResponse,
  GraphInfo,
  GraphPathsResponse,
  GraphScope,
  GraphsResponse,
  MembersResponse,
  NodeDetails,
  SearchHit,
  SummaryResponse,
  TotalsResponse,
} from "./schema.gen";

export type {
  GraphBox,
  GraphBridge,
  GraphDifference,
  GraphEdge,
  GraphInfo,
  GraphScope,
  NodeDetails,
  NodeEnd,
  ScopeDifferences,
  SearchHit,
  TotalsRow,
} from "./schema.gen";
export type GraphMembers = MembersResponse;
export type GraphSummary = SummaryResponse;
export type GraphDiff = DiffResponse;
export type GraphTotals = TotalsResponse;

/** The first hits, of `total`. */
export interface FoundNodes {
  total: number;
  hits: readonly SearchHit[];
}

/** One graph, by the name of its run. */
export interface GraphName {
  run: string;
  tag: string;
  form: GraphInfo["form"];
  at: string;
}

/** The most that the server sends. */
const MOST_DIFFERENCES = 10_000;

export async function fetchGraphs(signal?: AbortSignal): Promise<readonly GraphInfo[]> {
  return (await postJson<GraphsResponse>("graphs", {}, signal)).graphs;
}

export function fetchScope(graph: GraphName, path: string, signal?: AbortSignal): Promise<GraphScope> {
  return ask("scope", graph, { path }, signal);
}

export function fetchMembers(
  graph: GraphName,
  path: string,
  start: number,
  limit: number,
  signal?: AbortSignal,
): Promise<GraphMembers> {
  return ask("members", graph, { path, start, limit }, signal);
}

export function fetchNode(graph: GraphName, path: string, signal?: AbortSignal): Promise<NodeDetails> {
  return ask("node", graph, { path }, signal);
}

export function searchGraph(graph: GraphName, text: string, signal?: AbortSignal): Promise<FoundNodes> {
  return ask("search", graph, { text }, signal);
}

export function fetchSummary(graph: GraphName, signal?: AbortSignal): Promise<GraphSummary> {
  return ask("summary", graph, {}, signal);
}

export function fetchTotals(graph: GraphName, signal?: AbortSignal): Promise<GraphTotals> {
  return ask("totals", graph, {}, signal);
}

/** What is different in a graph, compared with `base`. */
export function fetchDiff(graph: GraphName, base: GraphName, signal?: AbortSignal): Promise<GraphDiff> {
  const { run, tag, form, at } = base;
  const named = { base_run: run, base_tag: tag, base_form: form, base_at: at };
  return ask("diff", graph, { ...named, limit: MOST_DIFFERENCES }, signal);
}

const PATHS_AT_ONCE = 10_000;

/** Those of the paths that a graph does not have. */
export async function fetchMissing(graph: GraphName, paths: readonly string[]): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let at = 0; at < paths.length; at += PATHS_AT_ONCE) {
    const some = paths.slice(at, at + PATHS_AT_ONCE);
    const answer = await postJson<GraphPathsResponse>("graphs/paths", { ...graph, paths: some });
    missing.push(...answer.missing);
  }
  return missing;
}

/** The whole graph as a file for another program. */
export function graphFileUrl(graph: GraphName, format: "dot" | "model-explorer"): string {
  return apiUrl(`graphs/export?${new URLSearchParams({ ...graph, format })}`);
}

function ask<Answer>(
  what: string,
  graph: GraphName,
  query: Record<string, string | number>,
  signal?: AbortSignal,
): Promise<Answer> {
  const words = Object.entries({ ...graph, ...query }).map(([name, value]) => [name, String(value)]);
  return getJson(`graphs/${what}?${new URLSearchParams(words)}`, signal);
}
