/** The images of a tag run by run: the series of each run on show, and which of its values stands for a step. */

import { useMemo } from "react";
import { remember } from "../../base/remember";
import { useRuns } from "../../state/lists";
import type { RunLook } from "../../state/looks";
import { valueAt } from "../../state/steps";
import { type KnownValues, useValues, type ValueSeries } from "../../state/values";

export const PLUGIN = "images";

export interface ImageSeries {
  look: RunLook;
  /** The name by which the server knows the run: the look of a folded run is that of another. */
  run: string;
  series: ValueSeries;
}

export interface KnownImages extends Omit<KnownValues, "series"> {
  list: readonly ImageSeries[];
}

const namesOf = remember(
  (runs: readonly { id: number; name: string }[]) => new Map(runs.map(({ id, name }) => [id, name])),
);

export function useImageSeries(tag: string, runs: readonly RunLook[], enabled = true): KnownImages {
  const { series, ...rest } = useValues(PLUGIN, tag, enabled);
  const names = namesOf(useRuns());
  const list = useMemo(
    () =>
      runs.flatMap((look): ImageSeries[] => {
        const found = series.get(look.id);
        const run = names.get(look.id);
        return found && run !== undefined && found.keys.length > 0 ? [{ look, run, series: found }] : [];
      }),
    [runs, series, names],
  );
  return { ...rest, list };
}

export interface ImageValue {
  /** Place in the series. */
  place: number;
  at: string;
  step: number;
  wall: number | string;
}

/** The value at `place`; undefined where there is none. */
export function valueIn({ series }: ImageSeries, place: number): ImageValue | undefined {
  const [at, step, wall] = [series.keys[place], series.steps[place], series.walls[place]];
  return at === undefined || step === undefined || wall === undefined ? undefined : { place, at, step, wall };
}

/** The value nearest to a step, the last one for null. */
export function valueNear(images: ImageSeries, step: number | null): ImageValue | undefined {
  return valueIn(images, valueAt(images.series.steps, step));
}
