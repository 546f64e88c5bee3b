/** Graphs of models: one graph of one run, or why there is none. */

import { Graphs } from "../../panels/graphs/graphs";
import { useChosenGraph, useGraphs } from "../../state/graphs";
import { useStatus } from "../../state/lists";
import { usePageReady } from "../../state/use-page-ready";
import { NoData } from "../kind/no-data";
import { PicturePage } from "../kind/picture-page";

const NONE: readonly never[] = [];

export default function GraphsPage() {
  const { graphs, error, retry } = useGraphs();
  const loading = useStatus().data?.loading ?? true;
  const chosen = useChosenGraph(graphs ?? NONE, loading);
  usePageReady(error !== null);
  if (graphs && graphs.length === 0 && !loading) return <NoData page="graphs" />;
  return (
    <PicturePage page="graphs" problem={error?.message ?? null} onRetry={retry}>
      {graphs && chosen ? <Graphs graphs={graphs} chosen={chosen} /> : null}
    </PicturePage>
  );
}
