/** What makes many lines readable, each by one click: groups, colours by a metric, or the best runs alone. */

import { useMemo } from "react";
import { fetchColumns } from "../../api/board";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { newGrouping } from "../run-table/grouping";
import { cellOf, compareCells, type Metric, metricColumn } from "../runs/column";
import { bestStat, directionOf } from "../runs/direction";
import { useFilteredRuns } from "../runs/filtered-runs";
import { groupingOffers } from "../runs/grouping-offers";
import type { RunDetails } from "../runs/run-details";
import { useTableColumns } from "../runs/table-columns";
import { useVisibleRuns } from "../runs/visible-runs";
import { notify } from "../view/notice";
import { commit } from "../view/view";
import style from "./many-lines.module.css";

const TOP = 10;

export default function ManyLinesOffers({ lines, onClose }: { lines: number; onClose(): void }) {
  const say = useWords();
  const { rows } = useFilteredRuns();
  const visible = useVisibleRuns();
  const runs = useMemo(() => rows.filter(({ id }) => visible.has(id)), [rows, visible]);
  const offers = useMemo(() => groupingOffers(runs), [runs]);
  const columns = useTableColumns("page");
  const tag = columns.find((column) => column.kind === "metric")?.tag;
  const best = tag === undefined ? null : metricColumn(tag, "best");
  return (
    <>
      <section className={style.offers} aria-label={say("many.lines", { count: lines })}>
        <span>{say("many.lines", { count: lines })}</span>
        {offers.map(({ by, key, groups }) => (
          <Button key={by} size="small" onClick={() => commit({ grouping: newGrouping(by, null) })}>
            {say(key === null ? "many.byFolder" : "many.by", { key: key ?? "", groups: count(groups) })}
          </Button>
        ))}
        {best && (
          <>
            <Button size="small" onClick={() => commit({ colorBy: best.id })}>
              {say("many.color", { tag: best.tag })}
            </Button>
            {directionOf(best.tag) !== null && (
              <Button size="small" onClick={() => void showBest(runs, best)}>
                {say("many.best", { count: TOP, tag: best.tag })}
              </Button>
            )}
          </>
        )}
      </section>
      <Button variant="quiet" size="small" icon="close" label={say("action.close")} onClick={onClose} />
    </>
  );
}

/** Shows the runs with the best values of a metric alone. Those without a finite value are never among them. */
async function showBest(runs: readonly RunDetails[], metric: Metric): Promise<void> {
  const { tag } = metric;
  try {
    const answer = await fetchColumns([{ tag, stat: bestStat(tag) }]);
    const values = answer.columns[0]!.flatMap((value, row): [number, number][] =>
      value === null ? [] : [[answer.runs[row]!, Number(value)]],
    );
    const metrics = new Map([[metric.id, new Map(values)]]);
    const ranked = runs
      .map((run) => ({ name: run.name, cell: cellOf(metric, run, metrics) }))
      .filter(({ cell }) => Number.isFinite(cell))
      .toSorted((a, b) => compareCells(a.cell, b.cell, directionOf(tag) === "up"));
    const shown = ranked.slice(0, TOP).map(({ name }) => name);
    commit({ runs: { base: "none", shown, hidden: [] } });
  } catch (fault) {
    notify("many.failed", { why: fault instanceof Error ? fault.message : String(fault) });
  }
}
