import { expect, test } from "vitest";
import { alignedCamera } from "./alignment";
import { openOf, pictureOf, scopeOf } from "./graph.fixture";
import type { Picture } from "./picture";

const BASE = pictureOf(openOf(scopeOf("", "a b d", "a-b b-d")));
const LONGER = pictureOf(openOf(scopeOf("", "a b c d", "a-b b-c c-d")));

function above(picture: Picture, path: string) {
  const { rect } = picture.boxes[picture.places.get(path)!]!;
  return { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2, scale: 0.7 };
}

const rounded = ({ x, y, scale }: { x: number; y: number; scale: number }) =>
  [x, y, scale].map((each) => Math.round(each * 10) / 10);

test.each(["a", "b", "d"])("%s is in the middle of both pictures", (path) => {
  const camera = alignedCamera(LONGER, BASE, above(LONGER, path), (each) => each);
  expect(rounded(camera)).toEqual(rounded(above(BASE, path)));
});

test("beside what only one picture has, the view is between its neighbours", () => {
  const { y } = alignedCamera(LONGER, BASE, above(LONGER, "c"), (each) => each);
  expect(y).toBeGreaterThan(above(BASE, "b").y);
  expect(y).toBeLessThan(above(BASE, "d").y);
});

test("boxes under another name are counterparts", () => {
  const renamed = pictureOf(openOf(scopeOf("", "x b d", "x-b b-d")));
  const camera = alignedCamera(renamed, BASE, above(renamed, "x"), (path) => (path === "x" ? "a" : path));
  expect(rounded(camera)).toEqual(rounded(above(BASE, "a")));
});

test("without a common box, the same part of the picture is shown", () => {
  const other = pictureOf(openOf(scopeOf("", "p q r s", "p-q q-r r-s")));
  const { y } = alignedCamera(BASE, other, { x: 30, y: BASE.size.height / 2, scale: 1 }, (path) => path);
  expect(y).toBe(other.size.height / 2);
});
