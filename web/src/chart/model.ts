/** What a chart is given and what it tells: plain data. No drawing, no fetching. */

/** "tag": x is the value of another tag at the same step, so it may go back and forth. */
export type Axis = "step" | "relative" | "wall" | "tag";

/** One line of a chart: the points of a run, or of a group of runs, that were sent for the range in view. */
export interface ChartSeries {
  /** The run or the group; with `tag` it names the line. */
  run: number;
  /** In a chart of several tags, the one this line tells of. */
  tag?: string;
  /** What it is called, tag and all. */
  label: string;
  /** Any CSS colour. */
  color: string;
  /** Lengths of dashes and gaps in pixels; empty is solid. */
  dash: readonly number[];
  /** Steps, or seconds on the relative and wall axes. Goes back where a run was started again. */
  x: Float64Array;
  y: Float64Array | Float32Array;
  /** Beside each point: wall time in epoch seconds (step axis), or the step (other axes). */
  aux: Float64Array | null;
  /** Own x of the smoothed points; null when they stand at the points of `x`. */
  sx: Float64Array | null;
  sy: Float64Array | Float32Array | null;
  /** x of the places where the run was started again. */
  restarts: Float64Array;
  /** Every point of the range is here; the chart may smooth it by itself. */
  raw: boolean;
  /** Points of the whole series. */
  held: number;
  /** Points of the series inside the range that was asked for. */
  inRange: number;
  /** Of a group: the edges of its band at the points of `x`, and how many runs each point speaks for. */
  lo?: Float64Array | Float32Array | null;
  hi?: Float64Array | Float32Array | null;
  members?: Uint32Array | null;
  /** How many of its runs have a value there that is no number: they are not in `y`. */
  nonfinite?: Uint32Array | null;
  /** Smoothing weight that `sy` was computed with, if known; another weight is recomputed for raw series. */
  weight?: number;
}

/** Colours and font, resolved: a canvas does not read custom properties. */
export interface ChartTheme {
  surface: string;
  line: string;
  grid: string;
  axis: string;
  axisText: string;
  text: string;
  text2: string;
  cursor: string;
  accent: string;
  bandAlpha: number;
  rawAlpha: number;
  dimAlpha: number;
  /** Font families, for example "Inter, sans-serif". Sizes are the chart's. */
  font: string;
}

/** The few words a chart writes itself, for translation. */
export interface ChartWords {
  above(points: string): string;
  below(points: string): string;
  notPositive(points: string): string;
  wheelHint: string;
}

export interface ChartModel {
  series: ChartSeries[];
  axis: Axis;
  /** The zoom shared by all charts of a page; null shows everything. */
  xRange: [number, number] | null;
  /** The zoom of this chart alone; null finds a range by the rule of `domain.ts`. */
  yRange: [number, number] | null;
  logY: boolean;
  /** x in powers of ten; no effect on the axes of time. */
  logX?: boolean;
  /** The names of the lines stand at their ends, where there is room. */
  labels?: boolean;
  ignoreOutliers: boolean;
  /** 0 (none) to 0.999. */
  smoothing: number;
  /** Run drawn in front while the others are dimmed. */
  highlighted: number | null;
  theme: ChartTheme;
  words?: ChartWords;
}

export interface Zoom {
  x: [number, number];
  /** Null: only x was chosen, and all charts of the page should follow. */
  y: [number, number] | null;
}

export interface Place {
  clientX: number;
  clientY: number;
}

export interface ChartStats {
  /** Time the last picture took, without the browser's own rasterising. */
  drawMs: number;
  /** The longer of the turns it was drawn in, in ms. */
  turnMs: number;
  /** Real points in the picture, and how many the server holds for that range. */
  drawn: number;
  held: number;
  /** The ranges in view. NaN before the first picture. */
  xmin: number;
  xmax: number;
  ymin: number;
  ymax: number;
  /** What the range of y leaves out, and on which side of the plot that is written. */
  above: CornerNote | null;
  below: CornerNote | null;
}

/** A small text in a corner of the plot, in CSS pixels of the chart. */
export interface CornerNote {
  text: string;
  side: "left" | "right";
  /** Distance of that side of the text from that side of the chart. */
  inset: number;
  /** Middle of the text. */
  y: number;
}

/** What can be taken hold of at the top of the plot: the pinned step, and the two ends of the chosen range. */
export type Handle = "pin" | "from" | "to";

export interface ChartEvents {
  /** The pointer moved: x of the nearest real point, where to put a tip, and run and tag of the nearest line. */
  onCursor(
    x: number | null,
    where: Place | null,
    runNearest: number | null,
    tagNearest?: string | null,
  ): void;
  /**
   * A range was chosen; null asks to go back one. `commit` is false while a pan, pinch or wheel is still
   * under way: show it, but do not write history.
   */
  onZoom(zoom: Zoom | null, commit: boolean): void;
  /** A click, and where; `extend` (Shift) asks for a range from the pinned step to here. */
  onPin(x: number, extend: boolean, where: Place): void;
  /** A handle is dragged to the x of a real point; `commit` as above. */
  onHandle?(handle: Handle, x: number, commit: boolean): void;
  /** A new picture is on the canvas. */
  onDrawn?(stats: ChartStats): void;
}

/** A row of a tip: one line at one x. */
export interface Row {
  run: number;
  /** Of a chart of several tags; undefined in others. */
  tag?: string | undefined;
  /** x and y of a real point, the nearest to what was asked; y may be NaN or infinite. */
  x: number;
  y: number;
  /** The nearest smoothed point; null without smoothing. */
  smoothed: number | null;
  smoothedX: number | null;
  aux: number | null;
  /** Of a group: the edges of its band here, and for how many runs the value speaks. */
  lo: number | null;
  hi: number | null;
  members: number | null;
  /** How many of its runs have a value here that is no number. */
  nonfinite?: number;
  /** The series has a point at exactly the x asked for. */
  exact: boolean;
  /** Pixels from the pointer to the line's point; from the x asked for when the pointer is elsewhere. */
  dist: number;
}

export const ENGLISH: ChartWords = {
  above: (points) => `${points} above`,
  below: (points) => `${points} below`,
  notPositive: (points) => `${points} ≤ 0 not shown`,
  wheelHint: "Alt + wheel to zoom",
};
