/** The run table at full size: all columns, runs picked for comparing or putting aside, the table taken away. */

import { useEffect, useMemo, useRef, useState } from "react";
import { Grid } from "../../panels/runs/grid";
import { Legend } from "../../panels/runs/legend";
import { RunFilter } from "../../panels/runs/run-filter";
import { Foot, NoMatch } from "../../panels/runs/run-table";
import { Tools } from "../../panels/runs/tools";
import { type Table, useTable } from "../../panels/runs/use-table";
import { cellOf } from "../../state/column";
import { useListed } from "../../state/facts";
import { Button } from "../../widgets/button";
import { count } from "../../words/format";
import { useWords } from "../../words/words";
import { usePicked } from "./picked";
import { PickedBar } from "./picked-bar";
import style from "./runs-page.module.css";
import { TakeTable } from "./take-table";

export default function RunsPage() {
  const say = useWords();
  const inside = useRef(false);
  const table = useTable("page", true, inside);
  const listed = useListed();
  const [differing, setDiffering] = useState(false);
  const shown = useDiffering(table, differing);
  const picking = usePicked();
  useEffect(() => {
    if (listed.length > 0) document.documentElement.dataset.ready = "true";
  }, [listed.length]);
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
        <TakeTable table={shown} />
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
          <Foot off={listed.length - table.visible.size} aside={table.aside} />
        )}
      </section>
    </main>
  );
}

/** Without the columns in which all runs say the same. */
function useDiffering(table: Table, on: boolean): Table {
  const { columns, runs, metrics } = table;
  const apart = useMemo(() => {
    if (!on || runs.length < 2) return columns;
    return columns.filter((column) => {
      const first = cellOf(column, runs[0]!, metrics);
      return runs.some((facts) => !Object.is(cellOf(column, facts, metrics), first));
    });
  }, [on, columns, runs, metrics]);
  return apart === columns ? table : { ...table, columns: apart };
}
