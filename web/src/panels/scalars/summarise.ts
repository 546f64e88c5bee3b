/** Chooses what the line at the right of a card's title says: the cursor, the range, the pinned step, or the card at rest. */

import { type Axis, formatX, type Row } from "../../chart";
import type { Scene } from "../../state/scene";
import { currentShade } from "../../state/theme";
import type { Span, View } from "../../state/viewstate";
import { boxOf } from "../../state/zoom";
import { duration } from "../../words/format";
import { lookOf, type PlotRun } from "./look";
import { stepsOf } from "./places";
import { byNumber } from "./reading";
import type { Line } from "./sources";
import { statisticsOf } from "./statistics";
import type { FrontRange, FrontValue, PinnedValue, Summary } from "./summary";

export interface CardNow {
  scene: Scene;
  view: View;
  /** The tag that names the card. */
  tag: string;
  lines: readonly Line[];
  /** The run in front of the others. */
  front: PlotRun | null;
  /** Where the pinned step stands on this card. */
  pinX: number | null;
  /** The chosen range has a place on this card. */
  hasRange: boolean;
  /** The card has room for two values beside its name. */
  roomy: boolean;
  /** What the lines say at a place, of those that have a point near it. */
  rowsAt(x: number): readonly Row[];
  /** Tags of the card by their place, if there are several. */
  names: ReadonlyMap<string, string> | null;
  /** The point of a run at a place. */
  pointOf(run: number, x: number): Row | undefined;
}

export function summarise(summary: Summary, now: CardNow): void {
  const { scene, view, tag, lines, front } = now;
  const { axis, pin, range } = view;
  if (scene.cursor === null && range !== null && now.hasRange) {
    summary.range(range, frontRange(now, range));
    return;
  }
  const step = scene.cursor ? scene.cursor.step : (pin?.step ?? null);
  const x = scene.cursor?.x ?? now.pinX;
  // Under the pointer the tip has the values, and the buttons need the room.
  const silent = scene.cursor?.tag === tag;
  const { cursor } = scene;
  if (cursor !== null && !silent && (axis === "relative" || axis === "wall"))
    summary.time(timeText(cursor.x, axis), frontValue(now, cursor.x));
  else if (x !== null && cursor === null && step !== null && front === null)
    summary.pinned(step, ...pinnedEnds(now, x));
  else if (x !== null && step !== null) summary.cursor(step, silent ? null : frontValue(now, x));
  else if (front !== null) summary.value(frontValue(now, Number.POSITIVE_INFINITY));
  else summary.rest(runCount(lines), axis === "step" ? lastX(lines) : null);
}

/** The least and the greatest value at the pinned step; of more than one line on a narrow card neither. */
function pinnedEnds(now: CardNow, x: number): [PinnedValue | null, PinnedValue | null] {
  const { view, lines, names, roomy } = now;
  const looks = new Map(lines.map(({ look }) => [look.id, look]));
  // On other axes the same place is another step of each run.
  const meant = ({ run }: Row) => view.axis === "step" || looks.get(run)?.name === view.pin?.run;
  const rows = now.rowsAt(x).filter(meant);
  const values = endsOf(rows).flatMap((row) => {
    const look = looks.get(row.run);
    const place = names === null || row.tag === undefined ? null : [...names.keys()].indexOf(row.tag);
    if (!look) return [];
    const near = view.axis === "step" && !row.exact;
    return [{ ...lookOf(look, currentShade(), place), value: level(row), near }];
  });
  if (values.length > 1 && !roomy) return [null, null];
  return [values[0] ?? null, values[1] ?? null];
}

/** The rows of the least and the greatest value; what is no number is beyond all, so that it is not passed over. */
export function endsOf(rows: readonly Row[]): Row[] {
  const sorted = rows.toSorted((a, b) => byNumber(level(a), level(b)));
  return [...sorted.slice(0, 1), ...sorted.slice(1).slice(-1)];
}

function level({ smoothed, y }: Row): number {
  return smoothed ?? y;
}

function timeText(x: number, axis: Axis): string {
  return axis === "relative" ? `+${duration(x)}` : formatX(x, axis);
}

/** Runs that the lines are of; those of a group count one by one. */
export function runCount(lines: readonly Line[]): number {
  return new Set(lines.flatMap(({ look }) => look.members ?? [look.id])).size;
}

function frontValue({ front, pointOf }: CardNow, x: number): FrontValue | null {
  const row = front && pointOf(front.id, x);
  return row ? { ...lookOf(front, currentShade()), value: level(row) } : null;
}

/** Of the run in front, or of the only one; a zoom may have left other points than those of the range here. */
function frontRange({ view, tag, lines, front }: CardNow, range: Span): FrontRange | null {
  const { axis, zoom } = view;
  const seen = boxOf(view, tag)?.x ?? zoom;
  if (seen && (axis !== "step" || range[0] < seen[0] || range[1] > seen[1])) return null;
  const line = lines.length === 1 ? lines[0] : lines.find(({ look }) => look.id === front?.id);
  const steps = line && stepsOf(line, axis);
  const statistics = steps && statisticsOf(line.points, steps, range);
  return statistics ? { ...lookOf(line.look, currentShade()), statistics } : null;
}

function lastX(lines: readonly Line[]): number | null {
  let last: number | null = null;
  for (const { points } of lines) {
    const end = points.x.at(-1);
    if (end !== undefined && (last === null || end > last)) last = end;
  }
  return last;
}
