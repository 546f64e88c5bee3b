/** Graphs of models, and the nodes in them, which other pages lead to. */

import { useQueries } from "@tanstack/react-query";
import { fetchGraphs, fetchTotals, type GraphInfo, type GraphName, searchGraph } from "../../api/graphs";
import { nodeNames, type OperatorNames, pathNamed } from "../../lib/scope-names";
import { DEFAULT_GRAPHS } from "../view/graphs-view";
import { commit } from "../view/view";
import { mostTellingFirst } from "./graph-order";
import { type RunNameOf, useListed } from "./listed";

export const KIND = "graphs";
/** The logdir, as the run of model files that are in no folder of a run. */
const TOP = ".";
/** Graphs of a run in which a node is looked for. */
const MOST_GRAPHS = 4;

/** A graph, and the name of its run. */
export interface RunGraph {
  info: GraphInfo;
  run: string;
}

/** A node or scope of a graph. */
export interface GraphPlace {
  graph: RunGraph;
  path: string;
}

export function graphName({ info, run }: RunGraph): GraphName {
  return { run, tag: info.tag, form: info.form, at: info.at };
}

/** Of runs that are known, and of no run. */
function namedGraphs(infos: readonly GraphInfo[], nameOf: RunNameOf): readonly RunGraph[] {
  return infos.flatMap((info): RunGraph[] => {
    const run = info.run === null ? TOP : nameOf(info.run);
    return run === undefined ? [] : [{ info, run }];
  });
}

export function useGraphs(enabled = true) {
  const { rows: graphs, error, retry } = useListed(KIND, fetchGraphs, namedGraphs, enabled);
  return { graphs, error, retry };
}

export const totalsQuery = (graph: GraphName) => ({
  queryKey: [KIND, "totals", graph],
  queryFn: ({ signal }: { signal: AbortSignal }) => fetchTotals(graph, signal),
  retry: false,
});

/** The node of a graph of a run that is called as an operator is; null if there is none. */
export function useNodeOf(run: string, operator: OperatorNames): GraphPlace | null {
  const { graphs } = useGraphs(run !== "");
  const ofRun = (graphs ?? []).filter((each) => run !== "" && each.run === run);
  const asked = mostTellingFirst(ofRun).slice(0, MOST_GRAPHS);
  const names = nodeNames(operator);
  const pairs = names.flatMap((text) => asked.map((graph) => ({ graph, text })));
  const answers = useQueries({
    queries: pairs.map(({ graph, text }) => ({
      queryKey: [KIND, "search", graphName(graph), lastOf(text)],
      queryFn: ({ signal }: { signal: AbortSignal }) => searchGraph(graphName(graph), lastOf(text), signal),
      retry: false,
    })),
  });
  for (const [at, { graph, text }] of pairs.entries()) {
    const paths = (answers[at]?.data?.hits ?? []).map((hit) => hit.path);
    const path = pathNamed(paths, [text]);
    if (path !== null) return { graph, path };
  }
  return null;
}

/** The word that is looked for: paths with it are compared as a whole. */
function lastOf(text: string): string {
  return text.slice(text.lastIndexOf("/") + 1);
}

/** Goes to the page of graphs, which opens the scopes around the place. */
export function showGraphPlace({ graph: { run, info }, path }: GraphPlace): void {
  const graphs = { ...DEFAULT_GRAPHS, run, tag: info.tag, form: info.form, selected: path };
  commit({ page: "graphs", subject: "", graphs });
}
