/**
 * The two images of a comparison as stored in the address: run and step of the left one, run and step of the right
 * one. A step is a number, "first", "last", or "" for the shared step. Pure.
 */

import type { ImageInfo, ImageName } from "../../api/images";
import { type ImageSeries, type ImageValue, valueIn, valueNear } from "./image-series";

export type SideStep = "" | "first" | "last" | "previous" | number;

export interface Side {
  /** Null if there is no image to compare. */
  images: ImageSeries | null;
  when: SideStep;
}

export type Sides = readonly [left: Side, right: Side];

/** The chosen sides; by default the first two runs, or a run's current and first step. */
export function sidesOf(list: readonly ImageSeries[], chosen: readonly string[]): Sides {
  const [leftRun, leftWhen, rightRun, rightWhen] = chosen;
  const named = (name: string | undefined) => list.find(({ lineStyle }) => lineStyle.name === name);
  const left = named(leftRun) ?? list[0] ?? null;
  const right = named(rightRun) ?? list.find((images) => images !== left) ?? left;
  const alone = right === left && rightWhen === undefined;
  return [
    { images: left, when: stepOfSide(leftWhen) },
    { images: right, when: alone ? "first" : stepOfSide(rightWhen) },
  ];
}

export function stepOfSide(text: string | undefined): SideStep {
  if (text === "first" || text === "last" || text === "previous") return text;
  return text === undefined || text === "" || !Number.isFinite(Number(text)) ? "" : Number(text);
}

/** The sides in the form of the address. */
export function namesOf(sides: Sides): string[] {
  return sides.flatMap(({ images, when }) => [images?.lineStyle.name ?? "", String(when)]);
}

/** The value of a side at the shared step. */
export function valueAtSide({ images, when }: Side, step: number | null): ImageValue | undefined {
  if (!images) return undefined;
  if (when === "first") return valueIn(images, 0);
  if (when === "last") return valueIn(images, images.series.keys.length - 1);
  const now = valueNear(images, when === "" || when === "previous" ? step : when);
  return when === "previous" && now ? (valueIn(images, now.index - 1) ?? now) : now;
}

/** One of the two images: name, contents, caption. */
export interface ComparedImage {
  name: ImageName;
  info: ImageInfo | undefined;
  alt: string;
  count: number;
  fault: string;
}
