/** The content of the tooltip, and of announcements for screen readers. Pure, except for the language. */

import { type Axis, formatX, type Row } from "../../chart";
import { duration, timeOfDay } from "../../i18n/format";
import { say } from "../../i18n/words";
import { naturalOrder } from "../../lib/natural-order";
import { formatStep, formatValue } from "../../lib/number";
import type { ColorScheme } from "../runs/slot";
import type { TipSort } from "../view/view-state";
import { lineStrokeOf, type PlotRun } from "./series-builder";
import type { TipContent } from "./tip";
import type { TipRow } from "./tip-table";

export interface TipInput {
  axis: Axis;
  scheme: ColorScheme;
  runs: ReadonlyMap<number, PlotRun>;
  /** Wall time of the first point of each series, if known. */
  firstWall: ReadonlyMap<number, number>;
  x: number;
  /** The width of the view in x. */
  span: number;
  /** Significant digits of values that are not whole. */
  digits: number;
  /** Nearest first. */
  rows: readonly Row[];
  /** Tags of the card with their names, if there are several. */
  names: ReadonlyMap<string, string> | null;
  /** The tag on the x axis, if the axis is "tag". */
  xTag: string;
  /** The baseline run; null compares with the nearest. */
  baseline: string | null;
}

/** Times are rarely equal to the microsecond: within this share of the view they count as equal. */
const SAME_TIME = 0.01;
/** Number of rows that are announced. */
const SPOKEN_ROWS = 5;

/** `sort`: the order of the rows; the nearest stays highlighted. `shared`: the common part of all names. */
export function tipContent(reading: TipInput, sort: TipSort = "nearest", shared = ""): TipContent {
  const rows = reading.rows.flatMap((row, at) => tipRow(reading, row, at === 0));
  const lead = rows.find((row) => row.name === reading.baseline) ?? rows[0] ?? null;
  return { head: head(reading), shared, rows: sorted(rows, sort), lead, digits: reading.digits };
}

/** "default" is the order of the run table: by slot. */
function sorted(rows: readonly TipRow[], sort: TipSort): readonly TipRow[] {
  const level = ({ smoothed, value }: TipRow) => smoothed ?? value;
  switch (sort) {
    case "nearest":
      return rows;
    case "ascending":
      return rows.toSorted((a, b) => byNumber(level(a), level(b)));
    case "descending":
      return rows.toSorted((a, b) => byNumber(-level(a), -level(b)));
    case "alphabetical":
      return rows.toSorted((a, b) => naturalOrder(a.label, b.label));
    case "default":
      return rows.toSorted((a, b) => a.slot - b.slot);
  }
}

/** Non-finite values come last. */
export function byNumber(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a - b;
}

/** The position and the values of the first rows as a sentence. */
export function tipSentence({ axis, runs, x, rows, names, digits }: TipInput): string {
  const values = rows.slice(0, SPOKEN_ROWS).flatMap((row) => {
    const run = runs.get(row.run);
    const tag = names && row.tag !== undefined ? `${names.get(row.tag)} ` : "";
    return run ? [`${run.label} ${tag}${formatValue(row.smoothed ?? row.y, digits)}`] : [];
  });
  return [formatX(x, axis), ...values].join(", ");
}

/** The step of a row. In a downsampled series the smoothed value, which is shown first, may be that of a neighbour. */
export function stepOf(row: Row, axis: Axis): number | null {
  return axis === "step" ? (row.smoothedX ?? row.x) : row.aux;
}

/** Step and time, shared by all rows. */
function head({ axis, xTag, x, rows, runs, firstWall }: TipInput): string {
  const row = rows[0]!;
  const at = axis === "tag" ? `${xTag} ${formatX(x, axis)}` : formatX(x, axis);
  if (axis !== "step") {
    const step = row.aux === null ? "" : formatStep(row.aux);
    return say(axis === "relative" ? "tip.relative" : "tip.wall", { at, step });
  }
  const start = firstWall.get(row.run) ?? runs.get(row.run)?.startWallTime ?? null;
  if (row.aux === null || start === null) return say("tip.step", { step: at });
  return say("tip.stepAfter", { step: at, after: duration(row.aux - start) });
}

/** The position of a row's point, if it differs from that of the tooltip. */
function elsewhere({ axis, x, span }: TipInput, row: Row): string | null {
  if (axis === "step") return row.exact ? null : formatX(row.x, axis);
  if (Math.abs(row.x - x) <= SAME_TIME * span) return null;
  return axis === "wall" ? timeOfDay(row.x) : formatX(row.x, axis);
}

function tipRow(reading: TipInput, row: Row, nearest: boolean): TipRow[] {
  const { axis, scheme, runs, names } = reading;
  const run = runs.get(row.run);
  if (!run) return [];
  const tag = names === null || row.tag === undefined ? null : row.tag;
  return [
    {
      run: row.run,
      name: run.name,
      label: run.label,
      slot: run.slot,
      tag,
      tagName: tag === null ? null : (names!.get(tag) ?? tag),
      ...lineStrokeOf(run, scheme, tag === null ? null : [...names!.keys()].indexOf(tag)),
      step: stepOf(row, axis),
      value: row.y,
      smoothed: row.smoothed,
      spread: row.lo === null || row.hi === null ? null : { lo: row.lo, hi: row.hi },
      members: row.members,
      nonfinite: row.nonfinite ?? 0,
      elsewhere: elsewhere(reading, row),
      nearest,
    },
  ];
}
