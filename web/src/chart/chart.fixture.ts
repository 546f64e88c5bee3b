/** Models and a recording pen for the tests of this folder. */

import { composePicture } from "./compose";
import { LineCache } from "./line";
import type { ChartModel, ChartSeries, ChartTheme } from "./model";
import type { Pen } from "./pen";
import type { Picture, Size } from "./picture";

export const THEME: ChartTheme = {
  surface: "surface",
  line: "line",
  grid: "grid",
  axis: "axis",
  axisText: "axisText",
  text: "text",
  text2: "text2",
  cursor: "cursor",
  accent: "accent",
  bandAlpha: 0.125,
  rawAlpha: 0.25,
  dimAlpha: 0.5,
  font: "sans-serif",
};

/** A complete raw series of run `run`, with a colour named after it. */
export function seriesOf(
  run: number,
  x: number[],
  y: number[],
  more: Partial<ChartSeries> = {},
): ChartSeries {
  return {
    run,
    label: `run ${run}`,
    color: `color${run}`,
    dash: [],
    x: Float64Array.from(x),
    y: Float64Array.from(y),
    aux: null,
    sx: null,
    sy: null,
    restarts: new Float64Array(),
    raw: true,
    held: x.length,
    inRange: x.length,
    ...more,
  };
}

export function modelOf(series: ChartSeries[], more: Partial<ChartModel> = {}): ChartModel {
  return {
    series,
    axis: "step",
    xRange: null,
    yRange: null,
    logY: false,
    ignoreOutliers: false,
    smoothing: 0,
    highlighted: null,
    theme: THEME,
    ...more,
  };
}

/** The plot has 100 × 100 pixels at (36, 8): letters are six pixels wide. */
export const SIZE: Size = { width: 148, height: 130 };

export function pictureOf(series: ChartSeries[], more: Partial<ChartModel> = {}, size = SIZE): Picture {
  return composePicture(modelOf(series, more), size, new LineCache(), (text) => 6 * text.length);
}

/** A pen that records its calls, with numbers rounded to a tenth of a pixel. */
export class RecordingPen implements Pen {
  readonly calls: string[] = [];
  strokeStyle = "";
  fillStyle = "";
  globalAlpha = 1;
  lineWidth = 1;
  lineJoin: CanvasLineJoin = "miter";
  lineCap: CanvasLineCap = "butt";
  font = "";
  textAlign: CanvasTextAlign = "start";
  textBaseline: CanvasTextBaseline = "alphabetic";
  #path: string[] = [];
  #dash: number[] = [];

  beginPath(): void {
    this.#path = [];
  }
  moveTo(x: number, y: number): void {
    this.#path.push(`M${short(x)},${short(y)}`);
  }
  lineTo(x: number, y: number): void {
    this.#path.push(`L${short(x)},${short(y)}`);
  }
  bezierCurveTo(...points: [number, number, number, number, number, number]): void {
    this.#path.push(`C${points.map(short).join()}`);
  }
  closePath(): void {
    this.#path.push("Z");
  }
  arc(x: number, y: number, radius: number): void {
    this.#path.push(`O${short(x)},${short(y)},${short(radius)}`);
  }
  rect(x: number, y: number, width: number, height: number): void {
    this.#path.push(`R${short(x)},${short(y)},${short(width)},${short(height)}`);
  }
  stroke(): void {
    if (this.#path.length === 0) return;
    const dash = this.#dash.length > 0 ? ` dash ${this.#dash.join("-")}` : "";
    const look = `${this.strokeStyle} ${short(this.lineWidth)} @${short(this.globalAlpha)}${dash}`;
    this.calls.push(`stroke ${look}: ${this.#path.join(" ")}`);
  }
  fill(): void {
    this.calls.push(`fill ${this.fillStyle} @${short(this.globalAlpha)}: ${this.#path.join(" ")}`);
  }
  clip(): void {
    this.calls.push(`clip ${this.#path.join(" ")}`);
  }
  save(): void {}
  translate(): void {}
  restore(): void {}
  setLineDash(dash: Iterable<number>): void {
    this.#dash = [...dash];
  }
  fillText(text: string, x: number, y: number): void {
    this.calls.push(`text ${this.fillStyle} ${this.textAlign} ${short(x)},${short(y)}: ${text}`);
  }
  fillRect(): void {}
  measureText(text: string): TextMetrics {
    return { width: 6 * text.length } as TextMetrics;
  }

  /** The recorded calls that start with `start`. */
  all(start: string): string[] {
    return this.calls.filter((call) => call.startsWith(start));
  }
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}
