/** The run table beside every page: visibility, colours and search. */

import { useMemo, useRef } from "react";
import { useWords } from "../../i18n/words";
import { suggestedRegex } from "../../lib/pattern";
import { useIdleAfterFirstRender } from "../../lib/use-idle-after-first-render";
import { Button } from "../../ui/button";
import { useStatus } from "../data/lists";
import { quoteTerm } from "../runs/query";
import { useListedDetails } from "../runs/run-details";
import { mostSimilar } from "../runs/similarity";
import { LATEST_SHOWN, MANY_RUNS } from "../view/selection";
import { change, commit, useView } from "../view/view";
import { ALL_DEFAULT } from "../view/view-state";
import { Grid } from "./grid";
import { Legend } from "./legend";
import { RunFilter } from "./run-filter";
import style from "./run-table.module.css";
import { Tools } from "./tools";
import { Unreadable } from "./unreadable";
import { useRowFolds, useTable } from "./use-table";

export { RUN_FILTER_ID } from "./run-filter";

export function RunTable() {
  const say = useWords();
  const inside = useRef(false);
  const table = useTable("side", useIdleAfterFirstRender(), inside);
  const listed = useListedDetails();
  const choice = useView((view) => view.runs);
  return (
    <section className={style.panel} aria-label={say("runs.title")}>
      <div className={style.filter}>
        <RunFilter fault={table.fault} className={style.box} />
        <Tools room="side" />
      </div>
      <Legend coloring={table.coloring} />
      {choice.base === "default" && table.runs.length > MANY_RUNS && (
        <div className={style.note}>
          <span>{say("runs.many", { count: LATEST_SHOWN })}</span>
          <Button size="small" onClick={() => commit({ runs: { base: "all", shown: [], hidden: [] } })}>
            {say("runs.showAll")}
          </Button>
        </div>
      )}
      <Grid table={table} room="side" inside={inside} />
      {table.rows.length === 0 && listed.length > 0 && <NoMatch />}
      <TableFooter off={listed.length - table.visible.size} aside={table.aside} />
    </section>
  );
}

/** What the charts do not show: runs switched off, hidden runs, unreadable folders, links not followed. */
export function TableFooter({ off, aside }: { off: number; aside: number }) {
  const say = useWords();
  const chosen = useView(({ runs }) => runs.base !== "default" || runs.hidden.length > 0);
  const showAside = useRowFolds((folds) => folds.aside);
  const status = useStatus().data;
  const unreadable = status?.unreadable.length ?? 0;
  const skipped = status?.skipped_links ?? 0;
  if (off === 0 && unreadable === 0 && skipped === 0 && aside === 0) return null;
  return (
    <div className={style.foot}>
      {off > 0 && <span>{say("runs.hidden", { count: off })}</span>}
      {off > 0 && chosen && (
        <Button size="small" variant="quiet" onClick={() => commit({ runs: ALL_DEFAULT })}>
          {say("runs.restore")}
        </Button>
      )}
      {aside > 0 && (
        <>
          <span>{say("table.set", { count: aside })}</span>
          <Button
            size="small"
            variant="quiet"
            aria-pressed={showAside}
            onClick={() => useRowFolds.setState({ aside: !showAside })}
          >
            {say(showAside ? "table.hideSet" : "table.showSet")}
          </Button>
        </>
      )}
      <Unreadable />
      {skipped > 0 && <span data-testid="skipped-links">{say("runs.skippedLinks", { count: skipped })}</span>}
    </div>
  );
}

/** Number of suggestions for a mistyped name. */
const MAX_NEAR = 3;

export function NoMatch() {
  const say = useWords();
  const filter = useView((view) => view.runFilter);
  const listed = useListedDetails();
  const near = useMemo(
    () =>
      mostSimilar(
        filter,
        listed.map(({ label }) => label),
        MAX_NEAR,
      ),
    [filter, listed],
  );
  const expression = useMemo(
    () =>
      suggestedRegex(
        filter,
        listed.map(({ label }) => label),
      ),
    [filter, listed],
  );
  return (
    <div className={style.nothing}>
      <span>
        {say("runs.noMatch")} <b>{filter}</b>
      </span>
      {expression && (
        <>
          <span>{say("runs.asExpression")}</span>
          <Button size="small" onClick={() => change({ runFilter: expression })}>
            <bdi>{expression}</bdi>
          </Button>
        </>
      )}
      {near.length > 0 && <span>{say("nothing.near")}</span>}
      <div className={style.near}>
        {near.map((label) => (
          <Button key={label} size="small" onClick={() => change({ runFilter: quoteTerm(label) })}>
            <bdi>{label}</bdi>
          </Button>
        ))}
      </div>
      <Button size="small" onClick={() => change({ runFilter: "" })}>
        {say("filter.clear")}
      </Button>
    </div>
  );
}
