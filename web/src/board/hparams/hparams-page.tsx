/** Trials with hyperparameters and metrics: as a table, parallel coordinates, or a scatter plot matrix. */

import { useWords } from "../../i18n/words";
import { usePageReady } from "../../lib/use-page-ready";
import { Button } from "../../ui/button";
import { Segmented } from "../../ui/segmented";
import { NoData } from "../cards/no-data";
import { useStatus } from "../data/lists";
import { MODES, type Mode } from "../view/hparams-view";
import { change, useView } from "../view/view";
import style from "./hparams-page.module.css";
import { Parallel } from "./parallel";
import { Scatter } from "./scatter";
import { Toolbar } from "./toolbar";
import { TrialTable } from "./trial-table";
import { showTrials, type TrialTable as Table, useTrialTable } from "./trials";

const MODE_WORDS = {
  table: "trials.mode.table",
  parallel: "trials.mode.parallel",
  scatter: "trials.mode.scatter",
} as const satisfies Record<Mode, string>;

export default function HparamsPage() {
  const say = useWords();
  const table = useTrialTable();
  const mode = useView((view) => view.hparams.mode);
  const loading = useStatus().data?.loading ?? true;
  const { loaded, error, all } = table.study;
  const settled = error !== null || (loaded && !(loading && all.length === 0));
  usePageReady(settled);
  if (settled && !error && all.length === 0) return <NoData page="hparams" />;
  return (
    <main className={style.page} data-page="hparams" aria-busy={!settled}>
      <div className={style.bar} role="toolbar" aria-label={say("bar.title")}>
        <Segmented
          label={say("trials.mode")}
          value={mode}
          options={MODES.map((each) => ({ value: each, label: say(MODE_WORDS[each]) }))}
          onChange={(next) => showTrials({ mode: next })}
        />
        <Toolbar table={table} />
      </div>
      <div className={style.body} id="cards" tabIndex={-1}>
        {error ? (
          <div className={style.nothing} role="alert">
            {error.message}
          </div>
        ) : (
          settled && <Body table={table} mode={mode} />
        )}
      </div>
    </main>
  );
}

function Body({ table, mode }: { table: Table; mode: Mode }) {
  const empty = table.filteredRows.length === 0;
  return (
    <>
      {mode !== "table" && (
        <section className={style.chart} data-mode={mode}>
          {mode === "parallel" ? <Parallel table={table} /> : <Scatter table={table} />}
        </section>
      )}
      <section className={style.table}>
        <TrialTable table={table} />
        {empty && <NoMatches table={table} />}
      </section>
    </>
  );
}

/** Shown if the filters of columns or runs leave no rows. */
function NoMatches({ table }: { table: Table }) {
  const say = useWords();
  const byRuns = table.study.trials.length === 0;
  return (
    <div className={style.nothing}>
      <h2>{say("trials.noMatch")}</h2>
      <Button
        variant="primary"
        onClick={() => (byRuns ? change({ runFilter: "" }) : showTrials({ filters: {} }))}
      >
        {say(byRuns ? "filter.clear" : "trials.clearFilters")}
      </Button>
    </div>
  );
}
