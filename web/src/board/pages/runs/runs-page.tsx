/** The run table at full size: all columns, selecting runs to compare or hide, and export. */

import { useMemo, useRef, useState } from "react";
import { count } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { usePageReady } from "../../../lib/use-page-ready";
import { Button } from "../../../ui/button";
import { editAnnotations } from "../../data/annotations";
import { TableExportMenu } from "../../export/table-export-menu";
import { Grid } from "../../run-table/grid";
import { Legend } from "../../run-table/legend";
import { RunFilter } from "../../run-table/run-filter";
import { NoMatch, TableFooter } from "../../run-table/run-table";
import { Tools } from "../../run-table/tools";
import { type Table, useTable } from "../../run-table/use-table";
import { cellOf } from "../../runs/column";
import { useListedDetails } from "../../runs/run-details";
import { commit } from "../../view/view";
import { exactTable, jsonOf } from "./export";
import { usePickedRuns } from "./picked-runs";
import style from "./runs-page.module.css";

export default function RunsPage() {
  const say = useWords();
  const inside = useRef(false);
  const table = useTable("page", true, inside);
  const listed = useListedDetails();
  const [differing, setDiffering] = useState(false);
  const shown = useDiffering(table, differing);
  const picking = usePickedRuns();
  usePageReady(listed.length > 0);
  return (
    <main className={style.page} id="cards" tabIndex={-1}>
      <div className={style.bar} role="toolbar" aria-label={say("page.runs")}>
        <RunFilter fault={table.fault} className={style.filter} />
        <Tools room="page" wide />
        <Button
          aria-pressed={differing}
          title={say("runspage.differingTip")}
          onClick={() => setDiffering(!differing)}
        >
          {say("runspage.differing")}
        </Button>
        <TableExportMenu name="runs" exact={() => exactTable(shown)} json={() => jsonOf(shown)} />
        <span className={style.grow} />
        <span className={style.count}>
          {say("runspage.shown", { on: count(table.visible.size), of: count(listed.length) })}
        </span>
      </div>
      <section className={style.paper} aria-label={say("runs.title")}>
        <Legend coloring={table.coloring} />
        <Grid table={shown} room="page" inside={inside} picking={picking} />
        {table.rows.length === 0 && listed.length > 0 && <NoMatch />}
        {picking.picked.size > 0 ? (
          <PickedBar names={[...picking.picked]} onClear={picking.clear} />
        ) : (
          <TableFooter off={listed.length - table.visible.size} aside={table.aside} />
        )}
      </section>
    </main>
  );
}

/** Leaves out columns in which all runs have the same value. */
function useDiffering(table: Table, on: boolean): Table {
  const { columns, runs, metrics } = table;
  const apart = useMemo(() => {
    if (!on || runs.length < 2) return columns;
    return columns.filter((column) => {
      const first = cellOf(column, runs[0]!, metrics);
      return runs.some((details) => !Object.is(cellOf(column, details, metrics), first));
    });
  }, [on, columns, runs, metrics]);
  return apart === columns ? table : { ...table, columns: apart };
}

function PickedBar({ names, onClear }: { names: readonly string[]; onClear(): void }) {
  const say = useWords();
  const putAside = (fields: { hidden: true } | { archived: true }) => {
    editAnnotations({ runs: Object.fromEntries(names.map((name) => [name, fields])) });
    onClear();
  };
  return (
    <div
      className={style.picked}
      role="toolbar"
      aria-label={say("runspage.selected", { count: names.length })}
    >
      <b aria-live="polite">{say("runspage.selected", { count: names.length })}</b>
      <Button
        variant="primary"
        disabled={names.length < 2}
        onClick={() => commit({ page: "compare", compare: names })}
      >
        {say("runspage.compare")}
      </Button>
      <Button onClick={() => commit({ runs: { base: "none", shown: names, hidden: [] } })}>
        {say("runspage.only")}
      </Button>
      <Button onClick={() => putAside({ hidden: true })}>{say("runs.hide")}</Button>
      <Button onClick={() => putAside({ archived: true })}>{say("runs.archive")}</Button>
      <span className={style.grow} />
      <Button variant="quiet" onClick={onClear}>
        {say("runspage.clear")}
      </Button>
    </div>
  );
}
