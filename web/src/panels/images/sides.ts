/**
 * The two images of a comparison as the address keeps them: run and step of the left one, run and step of the right
 * one. A step is a number, "first", "last", or "" for the step that all pages share. Pure.
 */

import { type ImageSeries, type ImageValue, valueIn, valueNear } from "./series";

export type When = "" | "first" | "last" | "previous" | number;

export interface Side {
  /** Null: no image to compare. */
  images: ImageSeries | null;
  when: When;
}

export type Sides = readonly [left: Side, right: Side];

/** What is chosen, and where nothing is: the first two runs, or a run's present and first step. */
export function sidesOf(list: readonly ImageSeries[], chosen: readonly string[]): Sides {
  const [leftRun, leftWhen, rightRun, rightWhen] = chosen;
  const named = (name: string | undefined) => list.find(({ look }) => look.name === name);
  const left = named(leftRun) ?? list[0] ?? null;
  const right = named(rightRun) ?? list.find((images) => images !== left) ?? left;
  const alone = right === left && rightWhen === undefined;
  return [
    { images: left, when: whenOf(leftWhen) },
    { images: right, when: alone ? "first" : whenOf(rightWhen) },
  ];
}

export function whenOf(text: string | undefined): When {
  if (text === "first" || text === "last" || text === "previous") return text;
  return text === undefined || text === "" || !Number.isFinite(Number(text)) ? "" : Number(text);
}

/** The sides as the address keeps them. */
export function namesOf(sides: Sides): string[] {
  return sides.flatMap(({ images, when }) => [images?.look.name ?? "", String(when)]);
}

/** The value a side shows at the step of all pages. */
export function valueAtSide({ images, when }: Side, step: number | null): ImageValue | undefined {
  if (!images) return undefined;
  if (when === "first") return valueIn(images, 0);
  if (when === "last") return valueIn(images, images.series.keys.length - 1);
  const now = valueNear(images, when === "" || when === "previous" ? step : when);
  return when === "previous" && now ? (valueIn(images, now.place - 1) ?? now) : now;
}
