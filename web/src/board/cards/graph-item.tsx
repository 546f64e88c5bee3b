/** From a card to the scope of a graph that its tag is named after. */

import { useQuery } from "@tanstack/react-query";
import { useWords } from "../../i18n/words";
import { MenuItem } from "../../ui/menu";
import { mostTellingFirst } from "../data/graph-order";
import {
  type GraphPlace,
  graphName,
  KIND,
  type RunGraph,
  showGraphPlace,
  totalsQuery,
  useGraphs,
} from "../data/graphs";
import { queries } from "../data/lists";
import { scopeOf } from "./related-tags";

interface GraphItemProps {
  tag: string;
  /** Those on the card. */
  runs: readonly number[];
}

/** Graphs that are asked for a scope, since each has to be read. */
const MOST_GRAPHS = 8;
const NONE: readonly never[] = [];

/** An item of the menu of a card, once a graph of these runs is found to have such a scope. */
export function GraphItem({ tag, runs }: GraphItemProps) {
  const say = useWords();
  const listed = useGraphs().graphs ?? NONE;
  const ofRuns = listed.filter(({ info }) => info.run !== null && runs.includes(info.run));
  const graphs = mostTellingFirst(ofRuns).slice(0, MOST_GRAPHS);
  const { data: place } = useQuery({
    queryKey: [KIND, "scope of tag", tag, graphs.map(graphName)],
    queryFn: () => placeOf(tag, graphs),
    enabled: graphs.length > 0,
    retry: false,
  });
  if (!place) return null;
  return <MenuItem onSelect={() => showGraphPlace(place)}>{say("card.showInGraph")}</MenuItem>;
}

/** The scope or node in the first of these graphs that has one. Those that cannot be read have none. */
async function placeOf(tag: string, graphs: readonly RunGraph[]): Promise<GraphPlace | null> {
  for (const graph of graphs) {
    const totals = await queries.fetchQuery(totalsQuery(graphName(graph))).catch(() => null);
    const path = totals && scopeOf(tag, totals.rows);
    if (path) return { graph, path };
  }
  return null;
}
