/** What a chart says at one place, as the tip and a reader of the screen take it. Pure, but for the language. */

import { formatStep, formatValue } from "../../base/number";
import { type Axis, formatX, type Row } from "../../chart";
import { naturalOrder } from "../../state/natural";
import type { Shade } from "../../state/slot";
import type { TipSort } from "../../state/viewstate";
import { duration, timeOfDay } from "../../words/format";
import { say } from "../../words/words";
import { lookOf, type PlotRun } from "./look";
import type { TipContent } from "./tip";
import type { TipRow } from "./tip-table";

export interface Reading {
  axis: Axis;
  shade: Shade;
  runs: ReadonlyMap<number, PlotRun>;
  /** Wall time of the first point of each series, where known. */
  firstWall: ReadonlyMap<number, number>;
  x: number;
  /** How much of x is in view. */
  span: number;
  /** Significant digits of values that are not whole. */
  digits: number;
  /** Nearest first. */
  rows: readonly Row[];
  /** Tags of the card with their names, if there are several. */
  names: ReadonlyMap<string, string> | null;
  /** The tag whose values are x, on the axis of a tag. */
  xTag: string;
  /** Run that differences are measured from; null: the nearest. */
  baseline: string | null;
}

/** Times never agree to the microsecond: within this part of the view they count as the same. */
const SAME_TIME = 0.01;
/** As many as one can keep in mind when they are read out. */
const SPOKEN_ROWS = 5;

/** `sort` is the order of the rows; the nearest stays marked wherever it goes. `shared` is in the names of all runs. */
export function tipContent(reading: Reading, sort: TipSort = "nearest", shared = ""): TipContent {
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

/** What is no number comes last. */
export function byNumber(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a - b;
}

/** The place and the values of the first rows, in words. */
export function sentence({ axis, runs, x, rows, names, digits }: Reading): string {
  const values = rows.slice(0, SPOKEN_ROWS).flatMap((row) => {
    const run = runs.get(row.run);
    const tag = names && row.tag !== undefined ? `${names.get(row.tag)} ` : "";
    return run ? [`${run.label} ${tag}${formatValue(row.smoothed ?? row.y, digits)}`] : [];
  });
  return [formatX(x, axis), ...values].join(", ");
}

/** The step a row tells of. In a thinned series the smoothed value, which leads, may be that of a neighbour. */
export function stepOf(row: Row, axis: Axis): number | null {
  return axis === "step" ? (row.smoothedX ?? row.x) : row.aux;
}

/** Step and time, said once for all rows. */
function head({ axis, xTag, x, rows, runs, firstWall }: Reading): string {
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

/** Where a row's point stands, if not at the place the tip tells of. */
function elsewhere({ axis, x, span }: Reading, row: Row): string | null {
  if (axis === "step") return row.exact ? null : formatX(row.x, axis);
  if (Math.abs(row.x - x) <= SAME_TIME * span) return null;
  return axis === "wall" ? timeOfDay(row.x) : formatX(row.x, axis);
}

function tipRow(reading: Reading, row: Row, nearest: boolean): TipRow[] {
  const { axis, shade, runs, names } = reading;
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
      ...lookOf(run, shade, tag === null ? null : [...names!.keys()].indexOf(tag)),
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
