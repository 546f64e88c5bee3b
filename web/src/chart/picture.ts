/** Everything needed to draw a chart; `compose.ts` computes it. */

import type { ClippedPoints, RangeNotes } from "./fit";
import type { Line } from "./line";
import type { ChartTheme } from "./model";
import type { Scale } from "./scale";
import type { Ticks } from "./ticks";

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Size {
  width: number;
  height: number;
}

export type Side = "left" | "right";

export interface Picture {
  size: Size;
  plot: Box;
  x: Scale;
  y: Scale;
  xTicks: Ticks;
  yTicks: Ticks;
  lines: Line[];
  notes: RangeNotes;
  /** Where lines leave the range of y. */
  clipped: readonly ClippedPoints[];
  /** The side of the upper and lower edge that fewer lines come near, for notes. */
  free: { top: Side; bottom: Side };
  /** Names at the ends of lines. */
  labels: EndLabel[];
  /** Set if every series is a single point: then the strip is drawn, and the scales only serve hit tests. */
  strip: Strip | null;
  theme: ChartTheme;
}

/** Distance of texts below the plot from the right edge. */
const EDGE = 4;

/** Left edge of the label of an x tick of this width: centred on the tick, but inside the chart. */
export function tickLabelStart(
  { x, size }: Pick<Picture, "x" | "size">,
  tick: number,
  width: number,
): number {
  return Math.max(2, Math.min(x.map(tick) - width / 2, size.width - EDGE - width));
}

export interface EndLabel {
  line: Line;
  text: string;
  /** Left edge and middle of the text, in pixels. */
  x: number;
  y: number;
  /** Pixel of the line's end; NaN if it is too far away to be connected. */
  endX: number;
  endY: number;
}

export interface StripRow {
  line: Line;
  /** Pixels; x is NaN if the axis cannot show the value. */
  x: number;
  y: number;
  name: string;
  value: string;
}

export interface Strip {
  rows: StripRow[];
  values: Scale;
  ticks: Ticks;
  /** There is room for names and values. */
  named: boolean;
}
