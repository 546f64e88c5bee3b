/** The part of a canvas context that drawing uses, so that a test can write down the calls. */

import type { ChartTheme } from "./model";

export type Pen = Pick<
  CanvasRenderingContext2D,
  | "beginPath"
  | "moveTo"
  | "lineTo"
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

/** A CSS font of the theme's families, whether or not the theme names a size of its own. */
export function fontOf(theme: ChartTheme, px = AXIS_TEXT_PX, weight = 400): string {
  return `${weight} ${px}px ${theme.font.replace(/^.*?\d+px\s+/, "")}`;
}

/** The centre of the device pixel nearest to `at`, for a line of one CSS pixel to be sharp. */
export function sharp(at: number, pixelRatio: number): number {
  const whole = Math.max(1, Math.round(pixelRatio));
  const half = (whole % 2) / 2;
  return (Math.round(at * pixelRatio - half) + half) / pixelRatio;
}
