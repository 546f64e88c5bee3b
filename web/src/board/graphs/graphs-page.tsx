/** Graphs of models: one graph of one run, or why there is none. */

import { fileName } from "../../lib/download";
import { usePageReady } from "../../lib/use-page-ready";
import { NoData } from "../cards/no-data";
import { PicturePage } from "../cards/picture-page";
import { useGraphs } from "../data/graphs";
import { useStatus } from "../data/lists";
import { TableExportMenu } from "../export/table-export-menu";
import { useView } from "../view/view";
import { useChosenGraph } from "./graph-data";
import { useValueAt } from "./graph-values";
import { Graphs } from "./graphs";
import { totalsAsJson, totalsAsTable } from "./totals/totals-export";
import type { TotalsMenu } from "./totals/totals-table";

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
  const at = useView((view) => view.graphs.at);
  const chosen = useValueAt(useChosenGraph(graphs ?? NONE, loading), at);
  usePageReady(error !== null);
  if (graphs && graphs.length === 0 && !loading) return <NoData page="graphs" />;
  return (
    <PicturePage page="graphs" problem={error?.message ?? null} onRetry={retry}>
      {graphs && chosen ? <Graphs graphs={graphs} chosen={chosen} totalsMenu={totalsMenu} /> : null}
    </PicturePage>
  );
}
