/** Chooses the summary beside a card's title: the cursor, the range, the pinned step, or the default. */

import { type Axis, formatX, type Row } from "../../chart";
import { duration } from "../../i18n/format";
import type { Interaction } from "../view/interaction";
import { currentColorScheme } from "../view/theme";
import type { Span, View } from "../view/view-state";
import { boxOf } from "../view/zoom";
import type { Line } from "./card-subscriptions";
import { lineStrokeOf, type PlotRun } from "./series-builder";
import { statisticsOf } from "./statistics";
import { stepsOf } from "./step-positions";
import type { FrontRange, FrontValue, PinnedValue, Summary } from "./summary";
import { byNumber } from "./tip-content";

export interface CardNow {
  interaction: Interaction;
  view: View;
  /** The tag that identifies the card. */
  tag: string;
  lines: readonly Line[];
  /** The highlighted run. */
  front: PlotRun | null;
  /** x of the pinned step on this card. */
  pinX: number | null;
  /** The selected range can be shown on this card. */
  hasRange: boolean;
  /** There is room for two values beside the name. */
  roomy: boolean;
  /** The values at a position, of lines with a point near it. */
  rowsAt(x: number): readonly Row[];
  /** Tags of the card by index, if there are several. */
  names: ReadonlyMap<string, string> | null;
  /** The point of a run at a position. */
  pointOf(run: number, x: number): Row | undefined;
}

export function summarise(summary: Summary, now: CardNow): void {
  const { interaction, view, tag, lines, front } = now;
  const { axis, pin, range } = view;
  if (interaction.cursor === null && range !== null && now.hasRange) {
    summary.range(range, frontRange(now, range));
    return;
  }
  const step = interaction.cursor ? interaction.cursor.step : (pin?.step ?? null);
  const x = interaction.cursor?.x ?? now.pinX;
  // Under the pointer the tooltip has the values, and the buttons need the room.
  const silent = interaction.cursor?.tag === tag;
  const { cursor } = interaction;
  if (cursor !== null && !silent && (axis === "relative" || axis === "wall"))
    summary.time(timeText(cursor.x, axis), frontValue(now, cursor.x));
  else if (x !== null && cursor === null && step !== null && front === null)
    summary.pinned(step, ...pinnedEnds(now, x));
  else if (x !== null && step !== null) summary.cursor(step, silent ? null : frontValue(now, x));
  else if (front !== null) summary.value(frontValue(now, Number.POSITIVE_INFINITY));
  else summary.rest(runCount(lines), axis === "step" ? lastX(lines) : null);
}

/** The minimum and maximum at the pinned step; none on a narrow card with several lines. */
function pinnedEnds(now: CardNow, x: number): [PinnedValue | null, PinnedValue | null] {
  const { view, lines, names, roomy } = now;
  const lineStyles = new Map(lines.map(({ lineStyle }) => [lineStyle.id, lineStyle]));
  // On other axes the same position is another step of each run.
  const isPinnedEvent = ({ run }: Row) => view.axis === "step" || lineStyles.get(run)?.name === view.pin?.run;
  const rows = now.rowsAt(x).filter(isPinnedEvent);
  const values = endsOf(rows).flatMap((row) => {
    const lineStyle = lineStyles.get(row.run);
    const place = names === null || row.tag === undefined ? null : [...names.keys()].indexOf(row.tag);
    if (!lineStyle) return [];
    const near = view.axis === "step" && !row.exact;
    return [{ ...lineStrokeOf(lineStyle, currentColorScheme(), place), value: level(row), near }];
  });
  if (values.length > 1 && !roomy) return [null, null];
  return [values[0] ?? null, values[1] ?? null];
}

/** The rows of the minimum and maximum; non-finite values count as extremes, so that they are not overlooked. */
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

/** The number of runs of the lines; members of groups count individually. */
export function runCount(lines: readonly Line[]): number {
  return new Set(lines.flatMap(({ lineStyle }) => lineStyle.members ?? [lineStyle.id])).size;
}

function frontValue({ front, pointOf }: CardNow, x: number): FrontValue | null {
  const row = front && pointOf(front.id, x);
  return row ? { ...lineStrokeOf(front, currentColorScheme()), value: level(row) } : null;
}

/** For the highlighted or only run; after a zoom, the points of the range may not be here. */
function frontRange({ view, tag, lines, front }: CardNow, range: Span): FrontRange | null {
  const { axis, zoom } = view;
  const seen = boxOf(view, tag)?.x ?? zoom;
  if (seen && (axis !== "step" || range[0] < seen[0] || range[1] > seen[1])) return null;
  const line = lines.length === 1 ? lines[0] : lines.find(({ lineStyle }) => lineStyle.id === front?.id);
  const steps = line && stepsOf(line, axis);
  const statistics = steps && statisticsOf(line.points, steps, range);
  return statistics ? { ...lineStrokeOf(line.lineStyle, currentColorScheme()), statistics } : null;
}

function lastX(lines: readonly Line[]): number | null {
  let last: number | null = null;
  for (const { points } of lines) {
    const end = points.x.at(-1);
    if (end !== undefined && (last === null || end > last)) last = end;
  }
  return last;
}
