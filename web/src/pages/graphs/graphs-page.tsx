/** Graphs of models: one graph of one run, or why there is none. */

import { fileName } from "../../base/download";
import { TableExportMenu } from "../../panels/export/table-export-menu";
import { Graphs } from "../../panels/graphs/graphs";
import { totalsAsJson, totalsAsTable } from "../../panels/graphs/totals/totals-export";
import type { TotalsMenu } from "../../panels/graphs/totals/totals-table";
import { useChosenGraph, useGraphs } from "../../state/graphs";
import { useStatus } from "../../state/lists";
import { usePageReady } from "../../state/use-page-ready";
import { NoData } from "../kind/no-data";
import { PicturePage } from "../kind/picture-page";

const NONE: readonly never[] = [];

const totalsMenu: TotalsMenu = (graph, rows) => (
  <TableExportMenu
    name={`${fileName(`${graph.run} ${graph.tag}`)}-totals`}
    exact={() => totalsAsTable(rows)}
    json={() => totalsAsJson(rows)}
  />
);

export default function GraphsPage() {
  const { graphs, error, retry } = useGraphs();
  const loading = useStatus().data?.loading ?? true;
  const chosen = useChosenGraph(graphs ?? NONE, loading);
  usePageReady(error !== null);
  if (graphs && graphs.length === 0 && !loading) return <NoData page="graphs" />;
  return (
    <PicturePage page="graphs" problem={error?.message ?? null} onRetry={retry}>
      {graphs && chosen ? <Graphs graphs={graphs} chosen={chosen} totalsMenu={totalsMenu} /> : null}
    </PicturePage>
  );
}
