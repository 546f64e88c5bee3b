/** The images of a tag by run: the series of each visible run, and the value for a step. */

import { type RunSeries, type RunSeriesResult, useRunSeries } from "../cards/run-series";
import type { LineStyle } from "../runs/line-styles";
import { valueIndexAt } from "../view/steps";

export const PLUGIN = "images";

export type ImageSeries = RunSeries;

export function useImageSeries(tag: string, runs: readonly LineStyle[], enabled = true): RunSeriesResult {
  return useRunSeries(PLUGIN, tag, runs, enabled);
}

export interface ImageValue {
  /** Place in the series. */
  index: number;
  at: string;
  step: number;
  wall: number | string;
}

/** The value at `index`; undefined where there is none. */
export function valueIn({ series }: ImageSeries, index: number): ImageValue | undefined {
  const [at, step, wall] = [series.keys[index], series.steps[index], series.walls[index]];
  return at === undefined || step === undefined || wall === undefined ? undefined : { index, at, step, wall };
}

/** The value nearest to a step, the last one for null. */
export function valueNear(images: ImageSeries, step: number | null): ImageValue | undefined {
  return valueIn(images, valueIndexAt(images.series.steps, step));
}
