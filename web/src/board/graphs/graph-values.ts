/** Graph tags that were written several times: each of their values is a graph, which the others are compared with. */

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { fetchMissing } from "../../api/graphs";
import { fetchValues } from "../../api/values";
import { dateTime } from "../../i18n/format";
import { say } from "../../i18n/words";
import { formatStep } from "../../lib/number";
import { KIND } from "../data/graphs";
import { VALUES } from "../data/values";
import { type GraphsView, withAncestors } from "../view/graphs-view";
import { useView } from "../view/view";
import { graphName, type RunGraph, showGraphs } from "./graph-data";

const NONE: readonly RunGraph[] = [];

/** Whether both are values of one tag. */
export function isSameTag(one: RunGraph, other: RunGraph): boolean {
  const [a, b] = [one.info, other.info];
  return a.run === b.run && a.tag === b.tag && a.form === b.form;
}

export function isSameGraph(one: RunGraph, other: RunGraph): boolean {
  return isSameTag(one, other) && one.info.at === other.info.at;
}

/** The values of the tag of a graph in the order of the log; undefined until they are fetched. */
export function useGraphValues(graph: RunGraph | undefined): readonly RunGraph[] | undefined {
  const { run = null, plugin = "", tag = "", values = 0 } = graph?.info ?? {};
  const { data, isError } = useQuery({
    queryKey: [VALUES, KIND, plugin, run, tag],
    queryFn: async ({ signal }) =>
      (await fetchValues({ plugin, tags: [tag], runs: [run!] }, signal)).series[0] ?? null,
    enabled: run !== null && values > 1,
  });
  return useMemo(() => {
    if (graph === undefined) return NONE;
    if (graph.info.values <= 1 || isError || data === null) return [graph];
    return data?.keys.map((at, index) => {
      const [step, wall, size] = [data.steps[index]!, data.walls[index]!, data.sizes[index]!];
      return { run: graph.run, info: { ...graph.info, at, step, wall, size } };
    });
  }, [graph, data, isError]);
}

/** The value with this key, the last one if there is none. Undefined while that is not known. */
export function useValueAt(last: RunGraph | undefined, at: string): RunGraph | undefined {
  const values = useGraphValues(at === "" ? undefined : last);
  return useMemo(() => {
    if (at === "" || last === undefined) return last;
    return values && (values.find(({ info }) => info.at === at) ?? last);
  }, [last, at, values]);
}

/** The graph that another one is compared with: the one in the address, if it is there and not the same. */
export function useBaseGraph(
  graphs: readonly RunGraph[],
  chosen: RunGraph,
  base: GraphsView["base"],
): RunGraph | null {
  const last = graphs.find(
    ({ run, info }) => run === base?.run && info.tag === base.tag && info.form === base.form,
  );
  const found = useValueAt(last, base?.at ?? "");
  return found === undefined || isSameGraph(found, chosen) ? null : found;
}

/**
 * What a graph is usually compared with: that of another run under the same name, otherwise the value before it, otherwise
 * any other.
 */
export function usualBase(
  graphs: readonly RunGraph[],
  chosen: RunGraph,
  values: readonly RunGraph[],
): RunGraph | null {
  const others = graphs.filter((each) => !isSameTag(each, chosen));
  const { tag, form } = chosen.info;
  return (
    others.find(({ info }) => info.tag === tag && info.form === form) ??
    valueBefore(values, chosen) ??
    others.find(({ info }) => info.form === form) ??
    others[0] ??
    null
  );
}

/** The value before another one, that after the first one; null if there is no other. */
export function valueBefore(values: readonly RunGraph[], graph: RunGraph): RunGraph | null {
  const at = values.findIndex((each) => isSameGraph(each, graph));
  return values[at > 0 ? at - 1 : 1] ?? null;
}

/** What the address says of a value: nothing of the last one, so that newer ones take its place. */
export function addressOf(graphs: readonly RunGraph[], graph: RunGraph): NonNullable<GraphsView["base"]> {
  const { tag, form, at } = graph.info;
  const isLast = graphs.some((each) => isSameGraph(each, graph));
  return { run: graph.run, tag, form, at: isLast ? "" : at };
}

/** "step 100", with the time if several values have this step. */
export function stepText(graph: RunGraph, values: readonly RunGraph[]): string {
  const { step, wall } = graph.info;
  const text = say("tip.step", { step: formatStep(step) });
  const alike = values.filter(({ info }) => info.step === step);
  return alike.length > 1 && typeof wall === "number" ? `${text} · ${dateTime(wall)}` : text;
}

/** Shows another value of the tag. What is open and selected stays so, as far as this value has it. */
export async function showValue(graphs: readonly RunGraph[], graph: RunGraph): Promise<void> {
  const { open, selected } = useView.getState().graphs;
  const paths = [...(open ?? []), ...(selected === "" ? [] : [selected])];
  const missing = new Set(paths.length > 0 ? await fetchMissing(graphName(graph), paths) : []);
  showGraphs({
    ...addressOf(graphs, graph),
    open: open && withAncestors(open.filter((path) => !missing.has(path))),
    selected: missing.has(selected) ? "" : selected,
  });
}
