/** Lets the table follow the charts, and highlights new runs. */

import { useEffect, useRef, useState } from "react";
import { useRunList, useRuns, useStatus } from "../data/lists";
import { useInteraction } from "../view/interaction";
import type { TableRow } from "./rows";

/** The row is scrolled into view after the pointer stays on a run in a chart for this long. */
const DWELL_MS = 350;
const TINT_MS = 2000;

/** Scrolls to the row of the line under the pointer of a chart, once it stays there. */
export function useFollowChart(rows: readonly TableRow[], scrollTo: (at: number) => void): void {
  const latest = useRef({ rows, scrollTo });
  latest.current = { rows, scrollTo };
  useEffect(() => {
    let wait: ReturnType<typeof setTimeout> | undefined;
    const stop = useInteraction.subscribe((interaction, before) => {
      if (interaction.hoveredRun === before.hoveredRun) return;
      clearTimeout(wait);
      if (interaction.source !== "chart") return;
      wait = setTimeout(() => {
        const at = latest.current.rows.findIndex((row) => isOf(row, interaction.hoveredRun));
        if (at >= 0) latest.current.scrollTo(at);
      }, DWELL_MS);
    });
    return () => {
      clearTimeout(wait);
      stop();
    };
  }, []);
}

function isOf(row: TableRow, line: number | null): boolean {
  if (row.kind === "run") return row.details.id === line || row.details.folded.some((id) => id === line);
  return row.kind === "group" && row.group !== null && row.group.id === line;
}

/** Runs that appeared while the page was open, each for two seconds. */
export function useFresh(): ReadonlySet<number> {
  const runs = useRuns();
  const { data, error } = useRunList();
  const loading = useStatus().data?.loading ?? true;
  const waiting = data === undefined || error !== null || loading;
  const known = useRef<ReadonlySet<number> | null>(null);
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => {
    const before = known.current;
    known.current = waiting ? null : new Set(runs.map((run) => run.id));
    const added = before === null || waiting ? [] : runs.flatMap(({ id }) => (before.has(id) ? [] : [id]));
    if (added.length === 0) return;
    setFresh((was) => new Set([...was, ...added]));
    // Not cancelled by the next change: each highlight lasts its time.
    setTimeout(() => setFresh((was) => new Set([...was].filter((id) => !added.includes(id)))), TINT_MS);
  }, [runs, waiting]);
  return fresh;
}
