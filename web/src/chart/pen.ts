/** The subset of a canvas context that drawing uses, so that tests can record the calls. */

import type { ChartTheme } from "./model";

export type Pen = Pick<
  CanvasRenderingContext2D,
  | "beginPath"
  | "moveTo"
  | "lineTo"
  | "bezierCurveTo"
  | "closePath"
  | "arc"
  | "rect"
  | "stroke"
  | "fill"
  | "clip"
  | "save"
  | "restore"
  | "translate"
  | "setLineDash"
  | "fillText"
  | "fillRect"
  | "measureText"
  | "strokeStyle"
  | "fillStyle"
  | "globalAlpha"
  | "lineWidth"
  | "lineJoin"
  | "lineCap"
  | "font"
  | "textAlign"
  | "textBaseline"
>;

export const AXIS_TEXT_PX = 11;

/** A CSS font with the theme's families, even if the theme contains a size. */
export function fontOf(theme: ChartTheme, px = AXIS_TEXT_PX, weight = 400): string {
  return `${weight} ${px}px ${theme.font.replace(/^.*?\d+px\s+/, "")}`;
}

/** The centre of the device pixel nearest to `at`, so that a line of one CSS pixel is sharp. */
export function sharp(at: number, pixelRatio: number): number {
  const whole = Math.max(1, Math.round(pixelRatio));
  const half = (whole % 2) / 2;
  return (Math.round(at * pixelRatio - half) + half) / pixelRatio;
}
