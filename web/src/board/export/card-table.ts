/** The table of a card: each run's value at the pinned step, or its last, with minimum, maximum and mean. Exact. */

import { decodeCharts } from "../../api/blocks";
import { fetchCharts, fetchStats } from "../../api/board";
import type { RunList, SeriesStats } from "../../api/schema.gen";
import { say } from "../../i18n/words";
import { exactNumber, type Table } from "../../lib/table";
import { queries, runsQuery } from "../data/lists";
import type { View } from "../view/view-state";
import { type ExportCard, runIds } from "./export-card";

interface Point {
  step: number;
  value: number;
}

/** By run and tag. */
type PointOf = ReadonlyMap<string, Point>;

export async function tableOf(card: ExportCard, view: View, signal: AbortSignal): Promise<Table> {
  const runs = runIds(card.flatMap((part) => part.runs));
  const tags = card.map(({ tag }) => tag.tag);
  const step = view.pin?.step ?? null;
  const [{ stats }, pinned] = await Promise.all([
    fetchStats({ tags, runs }, signal),
    step === null ? null : pointsAt(card, step, signal),
  ]);
  const names = new Map(
    queries.getQueryData<RunList>(runsQuery.queryKey)?.runs.map(({ id, name }) => [id, name]),
  );
  return buildTable(card, stats, pinned, (run) => names.get(run) ?? String(run));
}

/** Rows in the order of the card; `pinned` null takes the last point. Pure. */
export function buildTable(
  card: ExportCard,
  stats: readonly SeriesStats[],
  pinned: PointOf | null,
  nameOf: (run: number) => string,
): Table {
  const bySeries = new Map(stats.map((each) => [keyOf(each.run, each.tag), each]));
  const several = card.length > 1;
  const at = pinned === null ? "stat.last" : "take.value";
  const words = [
    at,
    "take.step",
    "stat.min",
    "take.minStep",
    "stat.max",
    "take.maxStep",
    "stat.mean",
  ] as const;
  const head = [say("take.run"), ...(several ? [say("take.tag")] : []), ...words.map((word) => say(word))];
  const rows = card.flatMap(({ tag: { tag }, runs }) => {
    return runIds(runs).flatMap((run) => {
      const found = bySeries.get(keyOf(run, tag));
      if (!found) return [];
      const point = pinned === null ? lastOf(found) : pinned.get(keyOf(run, tag));
      return [[nameOf(run), ...(several ? [tag] : []), ...cells(point), ...range(found)]];
    });
  });
  const texts = several ? 2 : 1;
  return {
    head: [...head, say("take.points")],
    rows,
    numeric: head.map((_, column) => column >= texts).concat(true),
  };
}

function lastOf({ last_step, last_value }: SeriesStats): Point {
  return { step: last_step, value: Number(last_value) };
}

function cells(point: Point | undefined): string[] {
  return point ? [exactNumber(point.value), exactNumber(point.step)] : ["", ""];
}

function range({ min_value, min_step, max_value, max_step, mean, held }: SeriesStats): string[] {
  const values = [Number(min_value), min_step, Number(max_value), max_step, Number(mean), held];
  return values.map(exactNumber);
}

/** The real point nearest to a step, of each run. */
async function pointsAt(card: ExportCard, step: number, signal: AbortSignal): Promise<PointOf> {
  const charts = card.map(({ tag, runs }) => ({ tag: tag.tag, runs: runIds(runs), x0: step, x1: step }));
  const request = { axis: "step", px: 64, smoothing: 0, aux: false, charts } as const;
  const found = new Map<string, Point>();
  for (const { index, series } of decodeCharts(await fetchCharts(request, signal)).charts) {
    for (const { run, x, y } of series) {
      let best = -1;
      for (let i = 0; i < x.length; i++) {
        if (best < 0 || Math.abs(x[i]! - step) <= Math.abs(x[best]! - step)) best = i;
      }
      if (best >= 0) found.set(keyOf(run, charts[index]!.tag), { step: x[best]!, value: y[best]! });
    }
  }
  return found;
}

function keyOf(run: number, tag: string): string {
  return `${run} ${tag}`;
}
