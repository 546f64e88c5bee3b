/** Input and output of a chart as plain data. No drawing, no fetching. */

/** "tag": x is the value of another tag at the same step, so it may go back and forth. */
export type Axis = "step" | "relative" | "wall" | "tag";

/** One line: the points of a run, or of a group of runs, for the range in view. */
export interface ChartSeries {
  /** Id of the run or the group; together with `tag` it identifies the line. */
  run: number;
  /** The tag of the line, in a chart of several tags. */
  tag?: string;
  /** The label, including the tag. */
  label: string;
  /** Any CSS colour. */
  color: string;
  /** Lengths of dashes and gaps in pixels; empty is solid. */
  dash: readonly number[];
  /** Steps, or seconds on the relative and wall axes. Goes back at a restart. */
  x: Float64Array;
  y: Float64Array | Float32Array;
  /** For each point: wall time in epoch seconds (step axis), or the step (other axes). */
  aux: Float64Array | null;
  /** x of the smoothed points; null if they are at `x`. */
  sx: Float64Array | null;
  sy: Float64Array | Float32Array | null;
  /** x of the restarts. */
  restarts: Float64Array;
  /** Every point of the range is here, so the chart can smooth it itself. */
  raw: boolean;
  /** Some points of the whole series share a step. */
  repeats?: boolean;
  /** Number of points of the whole series. */
  held: number;
  /** Number of points of the series in the requested range. */
  inRange: number;
  /** For a group: the edges of its band at `x`, and the number of runs at each point. */
  lo?: Float64Array | Float32Array | null;
  hi?: Float64Array | Float32Array | null;
  members?: Uint32Array | null;
  /** Number of its runs with a non-finite value there, which `y` does not include. */
  nonfinite?: Uint32Array | null;
  /** Smoothing weight of `sy`, if known; for another weight, raw series are recomputed. */
  weight?: number;
}

/** Resolved colours and font: a canvas cannot read custom properties. */
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
  /** Font families, for example "Inter, sans-serif". The chart chooses the sizes. */
  font: string;
}

/** The texts that a chart writes itself, for translation. */
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
  /** The zoom of this chart alone; null chooses a range as described in `domain.ts`. */
  yRange: [number, number] | null;
  logY: boolean;
  /** Logarithmic x; no effect on the time axes. */
  logX?: boolean;
  /** Name the lines at their ends, if there is room. */
  labels?: boolean;
  ignoreOutliers: boolean;
  /** 0 (none) to 0.999. */
  smoothing: number;
  /** The highlighted run; the others are dimmed. */
  highlighted: number | null;
  theme: ChartTheme;
  words?: ChartWords;
}

export interface Zoom {
  x: [number, number];
  /** Null if only x was selected, for all charts of the page. */
  y: [number, number] | null;
}

export interface ClientPosition {
  clientX: number;
  clientY: number;
}

export interface ChartStats {
  /** Time to draw the last picture, without rasterizing. */
  drawMs: number;
  /** The longest frame of that drawing in ms. */
  turnMs: number;
  /** Real points in the picture, and how many the server has for that range. */
  drawn: number;
  total: number;
  /** The ranges in view. NaN before the first picture. */
  xmin: number;
  xmax: number;
  ymin: number;
  ymax: number;
  /** What the range of y leaves out, and where that is written. */
  above: CornerNote | null;
  below: CornerNote | null;
}

/** A small text in a corner of the plot, in CSS pixels of the chart. */
export interface CornerNote {
  text: string;
  side: "left" | "right";
  /** Distance of the text from that side of the chart. */
  inset: number;
  /** Vertical middle of the text. */
  y: number;
}

/** A handle that can be dragged: the pinned step, or an end of the selected range. */
export type Handle = "pin" | "from" | "to";

export interface ChartEvents {
  /** The pointer moved: x of the nearest real point, where to place a tooltip, and run and tag of the nearest line. */
  onCursor(
    x: number | null,
    where: ClientPosition | null,
    runNearest: number | null,
    tagNearest?: string | null,
  ): void;
  /**
   * A range was selected; null asks to go back one. While a pan, pinch or wheel is in progress `commit` is false:
   * show the range, but do not write history.
   */
  onZoom(zoom: Zoom | null, commit: boolean): void;
  /** A click, and where; `extend` (Shift) asks for a range from the pinned step to here. */
  onPin(x: number, extend: boolean, where: ClientPosition): void;
  /** A handle was dragged to the x of a real point; `commit` as above. */
  onHandle?(handle: Handle, x: number, commit: boolean): void;
  /** A new picture was drawn. */
  onDrawn?(stats: ChartStats): void;
}

/** A row of a tooltip: one line at one x. */
export interface Row {
  run: number;
  /** Undefined in a chart of one tag. */
  tag?: string | undefined;
  /** x and y of the nearest real point; y may be non-finite. */
  x: number;
  y: number;
  /** The smoothed value; null without smoothing. */
  smoothed: number | null;
  smoothedX: number | null;
  aux: number | null;
  /** For a group: the edges of its band here, and the number of its runs in the value. */
  lo: number | null;
  hi: number | null;
  members: number | null;
  /** Number of its runs with a non-finite value here. */
  nonfinite?: number;
  /** The series has a point at exactly the requested x. */
  exact: boolean;
  /** Distance in pixels from the pointer to the point; from the requested x if the pointer is elsewhere. */
  dist: number;
}

export const ENGLISH: ChartWords = {
  above: (points) => `${points} above`,
  below: (points) => `${points} below`,
  notPositive: (points) => `${points} ≤ 0 not shown`,
  wheelHint: "Alt + wheel to zoom",
};
