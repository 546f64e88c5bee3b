/** Graphs of models: one graph of one run, or why there is none. */

import { Graphs } from "../../panels/graphs/graphs";
import { useChosenGraph, useGraphs } from "../../state/graphs";
import { useStatus } from "../../state/lists";
import { usePageReady } from "../../state/use-page-ready";
import { Button } from "../../widgets/button";
import { useWords } from "../../words/words";
import { NoData } from "../kind/no-data";
import style from "./graphs-page.module.css";

const NONE: readonly never[] = [];

export default function GraphsPage() {
  const say = useWords();
  const { graphs, error, retry } = useGraphs();
  const loading = useStatus().data?.loading ?? true;
  const chosen = useChosenGraph(graphs ?? NONE, loading);
  usePageReady(error !== null);
  if (graphs && graphs.length === 0 && !loading) return <NoData page="graphs" />;
  return (
    <main className={style.page} data-page="graphs" id="cards" tabIndex={-1} aria-busy={!chosen && !error}>
      {error && (
        <div className={style.failed} role="alert">
          <p>{error.message}</p>
          <Button icon="reload" onClick={retry}>
            {say("action.retry")}
          </Button>
        </div>
      )}
      {graphs && chosen && <Graphs graphs={graphs} chosen={chosen} />}
    </main>
  );
}
