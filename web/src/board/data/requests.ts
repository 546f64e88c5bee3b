/**
 * Builds chart requests: runs and groups as lines, the cache keys of their points, resolution, batching, and the request
 * itself.
 */

import type { ChartSpec, ChartsRequest } from "../../api/board";
import type { Axis } from "../../chart";
import type { Repeats } from "../view/view-state";

export type Statistic = "mean" | "median";
export type Band = "none" | "sd" | "se" | "minmax";

/** Settings shared by all cards of the page. */
export interface Frame {
  axis: Axis;
  /** The tag on the x axis, if the axis is "tag"; otherwise "". */
  xTag: string;
  smoothing: number;
  /** The statistic that the line of a group shows. */
  statistic: Statistic;
  band: Band;
  repeats: Repeats;
}

/** Runs drawn as one line. Ids of groups are never those of runs. */
export interface Group {
  id: number;
  runs: readonly number[];
}

export interface SeriesQuery {
  tag: string;
  runs: readonly number[];
  groups?: readonly Group[];
  /** Range of x in units of the axis; null is everything. */
  zoom: readonly [number, number] | null;
  /** Width of the plot in device pixels. */
  px: number;
  /** The card's own smoothing; undefined uses the page's. */
  smoothing?: number | undefined;
  /** x is logarithmic: its beginning needs finer points. */
  logX?: boolean | undefined;
}

/** One line of a chart: a run or a group of runs. */
export interface Line {
  id: number;
  /** The runs of a group; null for a single run. */
  runs: readonly number[] | null;
}

/** What determines the points of a line: tag, range and width. */
export type ChartParams = Pick<SeriesQuery, "tag" | "zoom" | "px" | "smoothing">;

/** The lines of one chart to be fetched. */
export interface ChartQuery extends ChartParams {
  items: Item[];
}

/** A requested line, with the key under which its points are cached. */
export interface Item {
  line: Line;
  key: string;
}

/** The lines of a card; `zoom` replaces its range. */
export function itemsOf(frame: Frame, want: SeriesQuery, zoom: SeriesQuery["zoom"] = want.zoom): Item[] {
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
  const same = (name: keyof Frame) => a[name] === b[name];
  return sameUnits(a, b) && same("smoothing") && same("statistic") && same("band") && same("repeats");
}

/** The cache key of a line. The page's smoothing is not part of it: lines with all points are smoothed by the chart. */
function keyOf(frame: Frame, place: ChartParams, line: Line): string {
  const { tag, zoom, px, smoothing } = place;
  const units = `${frame.axis}|${frame.repeats}|${zoom?.join() ?? ""}|${px}|${smoothing ?? ""}`;
  if (line.runs === null) return `${units}|${line.id}|${tag}|${frame.xTag}`;
  const group = `${line.id}:${setNumber(line.runs)}`;
  return `${units}|${group}|${frame.statistic}|${frame.band}|${tag}|${frame.xTag}`;
}

const setNumbers = new Map<string, number>();
const numbered = new WeakMap<readonly number[], number>();

/** A number for a set of runs: a group may have thousands of members, and there are many keys. */
function setNumber(runs: readonly number[]): number {
  const known = numbered.get(runs);
  if (known !== undefined) return known;
  const name = runs.join();
  const number = setNumbers.get(name) ?? setNumbers.size;
  setNumbers.set(name, number);
  numbered.set(runs, number);
  return number;
}

/** The request for charts of one width and one smoothing. Defaults are left out. */
export function chartsRequest(frame: Frame, chartQueries: readonly ChartQuery[]): ChartsRequest {
  const charts = chartQueries.map(({ tag, items, zoom }): ChartSpec => {
    const lines = items.map(({ line }) => line);
    const runs = lines.filter((line) => line.runs === null).map(({ id }) => id);
    const groups = lines.flatMap(({ id, runs: members }) =>
      members === null ? [] : [{ id, runs: members }],
    );
    const chart = { tag, runs, x0: zoom?.[0] ?? null, x1: zoom?.[1] ?? null };
    return groups.length === 0 ? chart : { ...chart, groups };
  });
  const px = Math.max(...chartQueries.map((chartQuery) => chartQuery.px));
  const { axis, statistic, band, xTag, repeats } = frame;
  const smoothing = chartQueries[0]?.smoothing ?? frame.smoothing;
  const body: ChartsRequest = { axis, px, smoothing, aux: true, charts };
  if (axis === "tag") body.x_tag = xTag;
  if (repeats !== "all") body.repeats = repeats;
  if (charts.some(({ groups }) => groups !== undefined)) Object.assign(body, { statistic, band });
  return body;
}

/** Widths are rounded up to multiples of this, so that a small change of the window fetches nothing. */
const PX_STEP = 64;
/** At this width a thousand points arrive unreduced, and the chart can smooth them while a slider moves. */
const PX_MIN = 512;
/** The maximum: a log x axis shows the first steps wider than the columns that points are downsampled to. */
export const MAX_PX = 4000;

/** From this number of lines in a card on, they share a fixed number of columns; a zoom fetches more. */
const MANY_LINES = 100;
const MAX_COLUMNS = 40_000;
const COARSEST_PX = 16;
/** The maximum number of lines per request. */
const MAX_LINES = 1_000;

/** The items of the chart query that covers `want`, in the request of its width and smoothing. */
export function chartQueryFor(requests: Map<string, Map<string, ChartQuery>>, want: SeriesQuery): Item[] {
  const { tag, zoom, px, smoothing } = want;
  const shape = `${px}|${smoothing ?? ""}`;
  const charts = requests.get(shape) ?? new Map<string, ChartQuery>();
  requests.set(shape, charts);
  const name = `${zoom?.join() ?? ""}|${tag}`;
  const chartQuery = charts.get(name) ?? { tag, zoom, px, smoothing, items: [] };
  charts.set(name, chartQuery);
  return chartQuery.items;
}

/** Splits chart queries into batches that decode without blocking the page: usually one. */
export function batches(chartQueries: readonly ChartQuery[]): ChartQuery[][] {
  const found: ChartQuery[][] = [];
  let lines = MAX_LINES;
  for (const chartQuery of chartQueries) {
    if (lines >= MAX_LINES) {
      found.push([]);
      lines = 0;
    }
    found.at(-1)!.push(chartQuery);
    lines += chartQuery.items.length;
  }
  return found;
}

export function rounded(want: SeriesQuery): SeriesQuery {
  const px = Math.ceil(want.px / PX_STEP) * PX_STEP;
  const lines = want.runs.length + (want.groups?.length ?? 0);
  return { ...want, px: Math.min(columnLimit(lines), Math.max(PX_MIN, px)) };
}

/** Columns per line if there are many lines; a power of two, so that one line more or less fetches nothing anew. */
function columnLimit(lines: number): number {
  if (lines <= MANY_LINES) return MAX_PX;
  return Math.max(COARSEST_PX, 2 ** Math.floor(Math.log2(MAX_COLUMNS / lines)));
}
