import { expect, test } from "vitest";
import { namesOf, sidesOf, valueAtSide } from "./compare-sides";
import type { ImageSeries } from "./image-series";

function images(name: string, steps: readonly number[]): ImageSeries {
  const series = { tag: "photo", run: 0, steps, walls: steps, sizes: steps, keys: steps.map(String) };
  return { lineStyle: { name }, run: name, series } as unknown as ImageSeries;
}

const A = images("a", [0, 10, 20]);
const B = images("b", [0, 5, 10]);

/** Run and step of both sides at the step 10 of all pages. */
function shown(list: readonly ImageSeries[], chosen: readonly string[]) {
  return sidesOf(list, chosen).map((side) => [side.images?.run, valueAtSide(side, 10)?.step]);
}

test("nothing chosen compares the first two runs at the step", () => {
  expect(shown([A, B], [])).toEqual([
    ["a", 10],
    ["b", 10],
  ]);
});

test("one run is compared with how it began", () => {
  expect(shown([A], [])).toEqual([
    ["a", 10],
    ["a", 0],
  ]);
});

test("runs and steps that were chosen stay", () => {
  expect(shown([A, B], ["b", "first", "a", "20"])).toEqual([
    ["b", 0],
    ["a", 20],
  ]);
  expect(shown([A, B], ["a", "last", "a", "previous"])).toEqual([
    ["a", 20],
    ["a", 0],
  ]);
});

test("a run that lacks the tag gives way to one that has it", () => {
  expect(shown([A, B], ["gone", "", "b", ""])).toEqual([
    ["a", 10],
    ["b", 10],
  ]);
});

test("what is chosen reads back as it was written", () => {
  const names = ["b", "first", "a", "20"];
  expect(namesOf(sidesOf([A, B], names))).toEqual(names);
});

test("no images, no sides", () => {
  expect(shown([], [])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
});
