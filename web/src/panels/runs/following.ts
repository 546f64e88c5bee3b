/** How the table follows what happens elsewhere: a run under the pointer of a chart, a run that just came. */

import { useEffect, useRef, useState } from "react";
import { useRunList, useRuns, useStatus } from "../../state/lists";
import { useScene } from "../../state/scene";
import type { TableRow } from "./rows";

/** A chart that stays on a run this long brings its row into view. */
const DWELL_MS = 350;
const TINT_MS = 2000;

/** Scrolls to the row of the line under the pointer of a chart, once it stays there. */
export function useFollowChart(rows: readonly TableRow[], scrollTo: (at: number) => void): void {
  const latest = useRef({ rows, scrollTo });
  latest.current = { rows, scrollTo };
  useEffect(() => {
    let wait: ReturnType<typeof setTimeout> | undefined;
    const stop = useScene.subscribe((scene, before) => {
      if (scene.hovered === before.hovered) return;
      clearTimeout(wait);
      if (scene.source !== "chart") return;
      wait = setTimeout(() => {
        const at = latest.current.rows.findIndex((row) => isOf(row, scene.hovered));
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
  if (row.kind === "run") return row.facts.id === line || row.facts.folded.some((id) => id === line);
  return row.kind === "group" && row.group !== null && row.group.id === line;
}

/** Runs that came while the page was open, each for two seconds. */
export function useFresh(): ReadonlySet<number> {
  const runs = useRuns();
  const loading = useStatus().data?.loading ?? true;
  const waiting = !useRunList().isSuccess || loading;
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
