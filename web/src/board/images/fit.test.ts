import { describe, expect, test } from "vitest";
import { fitImage, fitImageBeside, isHuge, placePxOf, sharedPx } from "./fit";

const BOX = { width: 200, height: 200 };

describe("an image in its box", () => {
  test("a large one is made smaller, its shape kept", () => {
    expect(fitImage({ width: 400, height: 300 }, BOX)).toEqual({ width: 200, height: 150, pixelated: false });
  });
  test("a small one grows by whole multiples, so that its pixels are squares of one size", () => {
    expect(fitImage({ width: 28, height: 28 }, BOX)).toEqual({ width: 196, height: 196, pixelated: true });
  });
  test("below two times it fills the box", () => {
    expect(fitImage({ width: 150, height: 100 }, BOX)).toEqual({ width: 200, height: 133, pixelated: false });
  });
  test("a line stays visible", () => {
    expect(fitImage({ width: 100_000, height: 1 }, BOX)).toEqual({ width: 200, height: 1, pixelated: false });
  });
  test("one that does not tell its size has the box", () => {
    expect(fitImage({ width: 0, height: 0 }, BOX)).toEqual({ ...BOX, pixelated: false });
  });
});

test("a low image leaves room for the buttons beside it, a high one has them on it", () => {
  expect(fitImageBeside({ width: 300, height: 20 }, BOX)).toEqual({
    width: 148,
    height: 10,
    pixelated: false,
  });
  expect(fitImageBeside({ width: 16, height: 16 }, BOX)).toEqual({
    width: 192,
    height: 192,
    pixelated: true,
  });
});

test("a claim of ten milliard pixels is huge, a photograph is not", () => {
  const sizes = [
    { width: 100_000, height: 100_000 },
    { width: 4000, height: 3000 },
  ];
  expect(sizes.map(isHuge)).toEqual([true, false]);
});

test("places fill their row, grow only so far, and wrap before they are too narrow", () => {
  expect([1, 3, 4, 5, 10].map((count) => placePxOf(1070, count, 208))).toEqual([333, 333, 258, 258, 258]);
});

test("a narrow page has one place in a row, as wide as the row", () => {
  expect([placePxOf(340, 3, 208), placePxOf(100, 3, 208), placePxOf(0, 3, 208)]).toEqual([340, 100, 0]);
});

test("the images of a batch share a place as a sheet", () => {
  expect([1, 4, 9, 12].map((count) => sharedPx(208, count))).toEqual([208, 102, 66, 56]);
});
