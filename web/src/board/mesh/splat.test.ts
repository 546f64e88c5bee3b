import { expect, test } from "vitest";
import { edgesOf } from "./gpu";
import { emptyPixels, type SplatInput, splat } from "./splat";

/** The screen is the square from −1 to 1, and z goes away from the camera. */
const PLAIN = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);

function drawn(points: readonly number[], more: Partial<SplatInput> = {}): string[] {
  const pixels = emptyPixels(4, 2);
  splat(pixels, {
    points: new Float32Array(points),
    colors: null,
    color: [1, 0, 0],
    matrix: PLAIN,
    pointPx: 1,
    fog: null,
    ...more,
  });
  return [0, 1].map((row) =>
    Array.from({ length: 4 }, (_, at) => {
      const [red, green, blue, alpha] = pixels.data.slice((row * 4 + at) * 4);
      return alpha === 0 ? "." : red ? "r" : green ? "g" : blue ? "b" : "k";
    }).join(""),
  );
}

test("a point lies where the matrix puts it", () => {
  expect(drawn([-1, 0.99, 0, 0.5, 0, 0])).toEqual(["r...", "...r"]);
});

test("the nearest of several is seen, whichever comes first", () => {
  const colors = new Uint8Array([0, 255, 0, 0, 0, 255]);
  expect(drawn([0, 0, 0.5, 0, 0, -0.5], { colors })).toEqual(["....", "..b."]);
  expect(drawn([0, 0, -0.5, 0, 0, 0.5], { colors })).toEqual(["....", "..g."]);
});

test("a larger point takes more pixels, none of them outside", () => {
  expect(drawn([0, 0.9, 0], { pointPx: 3 })).toEqual([".rrr", ".rrr"]);
  expect(drawn([0.99, -0.99, 0], { pointPx: 3 })).toEqual(["....", "...r"]);
  expect(drawn([90, 90, 0], { pointPx: 3 })).toEqual(["....", "...."]);
});

test("what lies behind the camera is not drawn", () => {
  const behind = PLAIN.slice();
  behind[15] = -1;
  expect(drawn([0, 0, 0], { matrix: behind })).toEqual(["....", "...."]);
});

test("points of one colour fade into the paper as they go away", () => {
  const away = PLAIN.slice();
  away[15] = 3;
  const fog = { paper: [0, 0, 1] as const, from: 1 };
  expect(drawn([0, 0, 0], { matrix: away, fog })).toEqual(["....", "..r."]);
  const pixels = emptyPixels(1, 1);
  splat(pixels, {
    points: new Float32Array(3),
    colors: null,
    color: [1, 0, 0],
    matrix: away,
    pointPx: 3,
    fog,
  });
  expect([...pixels.data]).toEqual([89, 0, 166, 255]);
});

test("the sides of faces", () => {
  expect([...edgesOf(new Uint32Array([0, 1, 2, 2, 1, 3]))]).toEqual([0, 1, 1, 2, 2, 0, 2, 1, 1, 3, 3, 2]);
});
