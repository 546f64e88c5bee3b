/**
 * What is asked for and how it is named: runs and groups as lines, keys to keep their points by, how fine and in how
 * many requests, the question itself.
 */

import type { ChartQuestion, ChartsQuestion } from "../api/board";
import type { Axis } from "../chart";

export type Statistic = "mean" | "median";
export type Band = "none" | "sd" | "se" | "minmax";

/** What holds for all cards of the page at once. */
export interface Frame {
  axis: Axis;
  /** The tag whose values are x on the axis of a tag; "" on others. */
  xTag: string;
  smoothing: number;
  /** What the line of a group is, and what its band shows. */
  statistic: Statistic;
  band: Band;
}

/** Runs drawn as one line. Ids of groups are never those of runs. */
export interface Group {
  id: number;
  runs: readonly number[];
}

export interface Want {
  tag: string;
  runs: readonly number[];
  groups?: readonly Group[];
  /** Range of x in units of the axis; null is everything. */
  zoom: readonly [number, number] | null;
  /** Width of the plot in device pixels. */
  px: number;
  /** Of this card alone; undefined is the page's. */
  smoothing?: number | undefined;
  /** x is shown in powers of ten: its beginning is wanted finer. */
  logX?: boolean | undefined;
}

/** A run, or a group of runs, as one of the lines of a chart. */
export interface Line {
  id: number;
  /** Of a group its runs; null is the run itself. */
  runs: readonly number[] | null;
}

/** A tag, a range and a width: what a line is asked for. */
export type Place = Pick<Want, "tag" | "zoom" | "px" | "smoothing">;

/** Lines of one chart that a request is to bring. */
export interface Errand extends Place {
  items: Item[];
}

/** A line somebody wants, with the key its points are kept by. */
export interface Item {
  line: Line;
  key: string;
}

/** What a card wants, line by line; `zoom` is another range than its own. */
export function itemsOf(frame: Frame, want: Want, zoom: Want["zoom"] = want.zoom): Item[] {
  const place = { ...want, zoom };
  const lines: Line[] = want.runs.map((id) => ({ id, runs: null }));
  if (want.groups) lines.push(...want.groups);
  return lines.map((line) => ({ line, key: keyOf(frame, place, line) }));
}

/** Whether two frames have the same units on x. */
export function sameUnits(a: Frame, b: Frame): boolean {
  return a.axis === b.axis && a.xTag === b.xTag;
}

export function sameFrame(a: Frame, b: Frame): boolean {
  return sameUnits(a, b) && a.smoothing === b.smoothing && a.statistic === b.statistic && a.band === b.band;
}

/** Names what is kept. The page's smoothing is no part of it: points that came whole are smoothed by the chart. */
function keyOf(frame: Frame, place: Place, line: Line): string {
  const { tag, zoom, px, smoothing } = place;
  const units = `${frame.axis}|${zoom?.join() ?? ""}|${px}|${smoothing ?? ""}`;
  if (line.runs === null) return `${units}|${line.id}|${tag}|${frame.xTag}`;
  const group = `${line.id}:${setNumber(line.runs)}`;
  return `${units}|${group}|${frame.statistic}|${frame.band}|${tag}|${frame.xTag}`;
}

const setNumbers = new Map<string, number>();
const numbered = new WeakMap<readonly number[], number>();

/** A number for a set of runs: the members of a group may be thousands, and keys are many. */
function setNumber(runs: readonly number[]): number {
  const known = numbered.get(runs);
  if (known !== undefined) return known;
  const name = runs.join();
  const number = setNumbers.get(name) ?? setNumbers.size;
  setNumbers.set(name, number);
  numbered.set(runs, number);
  return number;
}

/** One request for many charts of one width and one smoothing. What is as always is not said. */
export function question(frame: Frame, errands: readonly Errand[]): ChartsQuestion {
  const charts = errands.map(({ tag, items, zoom }): ChartQuestion => {
    const lines = items.map(({ line }) => line);
    const runs = lines.filter((line) => line.runs === null).map(({ id }) => id);
    const groups = lines.flatMap(({ id, runs: members }) =>
      members === null ? [] : [{ id, runs: members }],
    );
    const chart = { tag, runs, x0: zoom?.[0] ?? null, x1: zoom?.[1] ?? null };
    return groups.length === 0 ? chart : { ...chart, groups };
  });
  const px = Math.max(...errands.map((errand) => errand.px));
  const { axis, statistic, band, xTag } = frame;
  const smoothing = errands[0]?.smoothing ?? frame.smoothing;
  const asked: ChartsQuestion = { axis, px, smoothing, aux: true, charts };
  if (axis === "tag") asked.x_tag = xTag;
  if (charts.some(({ groups }) => groups !== undefined)) Object.assign(asked, { statistic, band });
  return asked;
}

/** Widths are rounded up to this, so that a small change of the window asks nothing. */
const PX_STEP = 64;
/** At this width a thousand points come whole, and the chart can smooth them while a slider moves. */
const PX_MIN = 512;
/** The finest there is: a log axis of x shows the first steps wider than the columns that points are cut to. */
export const FINEST_PX = 4000;

/** So many lines in one card are a crowd: they share so many columns, and a zoom brings more. */
const MANY_LINES = 100;
const MOST_COLUMNS = 40_000;
const COARSEST_PX = 16;
/** A request is full once it brings so many lines. */
const MOST_LINES = 1_000;

/** The items of the errand that goes for what is wanted, in the request of its shape. */
export function errandFor(requests: Map<string, Map<string, Errand>>, want: Want): Item[] {
  const { tag, zoom, px, smoothing } = want;
  const shape = `${px}|${smoothing ?? ""}`;
  const charts = requests.get(shape) ?? new Map<string, Errand>();
  requests.set(shape, charts);
  const name = `${zoom?.join() ?? ""}|${tag}`;
  const errand = charts.get(name) ?? { tag, zoom, px, smoothing, items: [] };
  charts.set(name, errand);
  return errand.items;
}

/** Errands in lots that can be read without a stop of the page: all at once, but for crowds of lines. */
export function lots(errands: readonly Errand[]): Errand[][] {
  const found: Errand[][] = [];
  let lines = MOST_LINES;
  for (const errand of errands) {
    if (lines >= MOST_LINES) {
      found.push([]);
      lines = 0;
    }
    found.at(-1)!.push(errand);
    lines += errand.items.length;
  }
  return found;
}

export function rounded(want: Want): Want {
  const px = Math.ceil(want.px / PX_STEP) * PX_STEP;
  const lines = want.runs.length + (want.groups?.length ?? 0);
  return { ...want, px: Math.min(finest(lines), Math.max(PX_MIN, px)) };
}

/** Columns that each of many lines may have; a power of two, so that a line more or less asks nothing anew. */
function finest(lines: number): number {
  if (lines <= MANY_LINES) return FINEST_PX;
  return Math.max(COARSEST_PX, 2 ** Math.floor(Math.log2(MOST_COLUMNS / lines)));
}
