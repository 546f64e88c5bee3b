import { expect, test } from "vitest";
import { captionsIn, linesOf } from "./captions";

/** Every letter is ten pixels wide. */
const widthOf = (text: string) => 10 * text.length;

test("a name takes a line more for every piece without room", () => {
  expect([200, 120, 100, 50].map((room) => linesOf("momentum/lr-0.01", "399", room, widthOf))).toEqual([
    2, 2, 4, 6,
  ]);
});

test("names that fit a few lines stay whole", () => {
  expect(captionsIn(["plain/lr-0.01", "momentum/lr-0.01"], "", 120, widthOf)).toEqual({
    texts: ["plain/lr-0.01", "momentum/lr-0.01"],
    px: 38,
  });
});

test("a narrow place has no room for pieces that would be broken", () => {
  expect(captionsIn(["lr0.0001_wd0", "lr0.0003_wd0"], "", 80, widthOf).px).toBe(10_000);
  expect(captionsIn(["lr0.0001_wd0", "lr0.0003_wd0"], "", 100, widthOf).px).toBe(54);
});

test("longer ones lose parts in which they do not differ", () => {
  const names = ["imagenet1k/vit_base_patch16/lr0.001/seed0", "coco2017/vit_base_patch16/lr0.001/seed0"];
  expect(captionsIn(names, "", 150, widthOf).texts).toEqual([
    "imagenet1k/…/lr0.001/seed0",
    "coco2017/vit_base_patch16/lr0.001/seed0",
  ]);
});
