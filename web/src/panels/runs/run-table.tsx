/** The table of runs beside every page: what is drawn, in which colour, and how it is found. */

import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type RunInfo, useRunList, useSortedRuns, useStatus } from "../../state/lists";
import { usePattern } from "../../state/pattern-hook";
import { useScene } from "../../state/scene";
import { LATEST_SHOWN, MANY_RUNS } from "../../state/selection";
import { onlyRun, switchAll, switchRun } from "../../state/switching";
import { change, commit, useView } from "../../state/view";
import { ALL_DEFAULT } from "../../state/viewstate";
import { useVisibleRuns } from "../../state/visible";
import { Button } from "../../widgets/button";
import { Check } from "../../widgets/check";
import { Field } from "../../widgets/field";
import { observeLaidOut, scrollWhereNeeded } from "../../widgets/laid-out";
import { count } from "../../words/format";
import { useWords } from "../../words/words";
import { RunRow } from "./run-row";
import style from "./run-table.module.css";
import { Unreadable } from "./unreadable";

const ROW_PX = 28;
/** A chart that stays on a run this long brings its row into view. */
const DWELL_MS = 350;
const TINT_MS = 2000;

export const RUN_FILTER_ID = "run-filter";

export function RunTable() {
  const say = useWords();
  const runs = useSortedRuns();
  const visible = useVisibleRuns();
  const loading = useStatus().data?.loading ?? true;
  const filter = useView((view) => view.runFilter);
  const choice = useView((view) => view.runs);
  const { pattern, fault } = usePattern(filter);
  const rows = useMemo(() => runs.filter((run) => pattern.matches(run.name)), [runs, pattern]);
  const known = useRunList().isSuccess;
  const fresh = useFresh(runs, loading || !known);
  const on = useMemo(
    () => rows.reduce((sum, run) => sum + (visible.has(run.id) ? 1 : 0), 0),
    [rows, visible],
  );

  const scroll = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
    observeElementRect: observeLaidOut,
    scrollToFn: scrollWhereNeeded,
    getItemKey: (at) => rows[at]!.id,
  });
  useFollowChart(rows, (at) => list.scrollToIndex(at, { align: "auto" }));

  const latest = useRef({ runs, visible });
  latest.current = { runs, visible };
  const onSwitch = useCallback((run: RunInfo, next: boolean) => switchRun(latest.current, run, next), []);
  const onOnly = useCallback((run: RunInfo) => {
    onlyRun(latest.current, run);
  }, []);
  const switchRows = () => switchAll({ runs, visible }, rows, on < rows.length);

  return (
    <section className={style.panel} aria-label={say("runs.title")}>
      <div className={style.filter}>
        <Field
          id={RUN_FILTER_ID}
          label={say("runs.filter")}
          clearLabel={say("action.clear")}
          hotkey="/"
          value={filter}
          onChange={(text) => change({ runFilter: text })}
          fault={fault === null ? null : say("filter.bad", { why: fault })}
        />
      </div>
      <div className={style.head}>
        <label>
          <Check
            checked={on === 0 ? false : on === rows.length ? true : "mixed"}
            disabled={rows.length === 0}
            onChange={switchRows}
            aria-label={say("runs.all")}
            title={say("runs.all")}
          />
          <span>{say("runs.head", { on: count(visible.size), of: count(runs.length) })}</span>
        </label>
        <span className={style.grow} />
        <span className={style.column}>{say("runs.step")}</span>
      </div>
      {choice.base === "default" && runs.length > MANY_RUNS && (
        <div className={style.note}>
          <span>{say("runs.many", { count: LATEST_SHOWN })}</span>
          <Button size="small" onClick={() => commit({ runs: { base: "all", shown: [], hidden: [] } })}>
            {say("runs.showAll")}
          </Button>
        </div>
      )}
      <div ref={scroll} className={style.scroll} tabIndex={-1}>
        {rows.length === 0 && runs.length > 0 ? (
          <NoMatch filter={filter} />
        ) : (
          <ul className={style.list} style={{ height: list.getTotalSize() }} aria-label={say("runs.title")}>
            {list.getVirtualItems().map(({ index, start }) => {
              const run = rows[index]!;
              return (
                <RunRow
                  key={run.id}
                  run={run}
                  visible={visible.has(run.id)}
                  fresh={fresh.has(run.id)}
                  span={pattern.find(run.name)}
                  top={start}
                  place={index + 1}
                  count={rows.length}
                  onSwitch={onSwitch}
                  onOnly={onOnly}
                />
              );
            })}
          </ul>
        )}
      </div>
      <Foot hidden={runs.length - visible.size} />
    </section>
  );
}

/** What the table does not show: runs switched off, folders nobody may read. */
function Foot({ hidden }: { hidden: number }) {
  const say = useWords();
  const chosen = useView(({ runs }) => runs.base !== "default" || runs.hidden.length > 0);
  const unreadable = useStatus().data?.unreadable.length ?? 0;
  if (hidden === 0 && unreadable === 0) return null;
  return (
    <div className={style.foot}>
      {hidden > 0 && <span>{say("runs.hidden", { count: hidden })}</span>}
      {hidden > 0 && chosen && (
        <Button size="small" look="quiet" onClick={() => commit({ runs: ALL_DEFAULT })}>
          {say("runs.restore")}
        </Button>
      )}
      <Unreadable />
    </div>
  );
}

function NoMatch({ filter }: { filter: string }) {
  const say = useWords();
  return (
    <div className={style.nothing}>
      <span>
        {say("runs.noMatch")} <b>{filter}</b>
      </span>
      <Button size="small" onClick={() => change({ runFilter: "" })}>
        {say("filter.clear")}
      </Button>
    </div>
  );
}

/** Scrolls to the row of the run under the pointer of a chart, once it stays there. */
function useFollowChart(rows: readonly RunInfo[], scrollTo: (at: number) => void): void {
  const latest = useRef({ rows, scrollTo });
  latest.current = { rows, scrollTo };
  useEffect(() => {
    let wait: ReturnType<typeof setTimeout> | undefined;
    const stop = useScene.subscribe((scene, before) => {
      if (scene.hovered === before.hovered) return;
      clearTimeout(wait);
      if (scene.source !== "chart") return;
      wait = setTimeout(() => {
        const at = latest.current.rows.findIndex((run) => run.id === scene.hovered);
        if (at >= 0) latest.current.scrollTo(at);
      }, DWELL_MS);
    });
    return () => {
      clearTimeout(wait);
      stop();
    };
  }, []);
}

/** Runs that came while the page was open, each for two seconds. */
function useFresh(runs: readonly RunInfo[], waiting: boolean): ReadonlySet<number> {
  const known = useRef<ReadonlySet<number> | null>(null);
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => {
    const before = known.current;
    known.current = waiting ? null : new Set(runs.map((run) => run.id));
    const came = before === null || waiting ? [] : runs.flatMap(({ id }) => (before.has(id) ? [] : [id]));
    if (came.length === 0) return;
    setFresh((was) => new Set([...was, ...came]));
    // Not undone by the next change: each tint lasts its time.
    setTimeout(() => setFresh((was) => new Set([...was].filter((id) => !came.includes(id)))), TINT_MS);
  }, [runs, waiting]);
  return fresh;
}
