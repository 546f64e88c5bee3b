import { describe, expect, test } from "vitest";
import { emptyScreenPositions, type ScreenPositions } from "./camera";
import { BACK, CHOSEN, farFirst, HIDDEN, type Image, mix, PLAIN, rgba, shuffledIndex, splat } from "./splat";
import { SHAPES, stampOf } from "./stamps";

const RED = 0xff0000;
const BLUE = 0x0000ff;
const WHITE = 0xffffff;
const PALETTE = { colors: [RED, BLUE], shapes: [0, 0], paper: WHITE };

function image(width = 40, height = 40): Image {
  return { width, height, pixels: new Uint32Array(width * height) };
}

function at(...points: readonly [number, number, number?][]): ScreenPositions {
  const places = emptyScreenPositions(points.length);
  points.forEach(([x, y, far = 0], row) => {
    places.x[row] = x;
    places.y[row] = y;
    places.far[row] = far;
  });
  return places;
}

function pointStyle(states: readonly number[], codes = states.map((_, row) => row % 2)) {
  return { codes: Uint8Array.from(codes), states: Uint8Array.from(states), palette: PALETTE };
}

const pixel = ({ pixels, width }: Image, x: number, y: number) => pixels[y * width + x];

describe("splat", () => {
  test("a point has its colour in the middle, paper is around it", () => {
    const canvas = image();
    splat(canvas, at([20, 10]), pointStyle([PLAIN]), false, 1);
    expect([pixel(canvas, 20, 10), pixel(canvas, 20, 20)]).toEqual([rgba(RED), rgba(WHITE)]);
  });

  test("device pixels scale places and points", () => {
    const canvas = image();
    splat(canvas, at([10, 5]), pointStyle([PLAIN]), false, 2);
    expect([pixel(canvas, 20, 10), pixel(canvas, 26, 10)]).toEqual([rgba(RED), rgba(RED)]);
  });

  test("what is chosen lies over what is plain, and that over what is set back", () => {
    const both = at([20, 20], [20, 20]);
    const [first, second] = [image(), image()];
    splat(first, both, pointStyle([CHOSEN, PLAIN]), false, 1);
    splat(second, both, pointStyle([PLAIN, BACK]), false, 1);
    expect([pixel(first, 20, 20), pixel(second, 20, 20)]).toEqual([rgba(RED), rgba(RED)]);
  });

  test("what is set back is pale, what is hidden is not there", () => {
    const canvas = image();
    splat(canvas, at([10, 10], [30, 30]), pointStyle([BACK, HIDDEN]), false, 1);
    expect([pixel(canvas, 10, 10), pixel(canvas, 30, 30)]).toEqual([
      rgba(mix(WHITE, RED, 0.22)),
      rgba(WHITE),
    ]);
  });

  test("near points lie over far ones", () => {
    const canvas = image();
    splat(canvas, at([20, 20, 1], [20, 20, 0]), pointStyle([PLAIN, PLAIN]), true, 1);
    expect(pixel(canvas, 20, 20)).toBe(rgba(BLUE));
  });

  test("points at and beyond the edges are cut, not wrapped, and those outside are not counted", () => {
    const canvas = image();
    const drawn = splat(
      canvas,
      at([0, 0], [39, 39], [-50, 5], [Number.NaN, 5]),
      pointStyle([0, 0, 0, 0], [0, 0, 0, 0]),
      false,
      1,
    );
    expect([drawn, pixel(canvas, 0, 0), pixel(canvas, 39, 39), pixel(canvas, 39, 0)]).toEqual([
      2,
      rgba(RED),
      rgba(RED),
      rgba(WHITE),
    ]);
  });
});

test("the four shapes differ", () => {
  const marks = SHAPES.map((shape) => [...stampOf(shape, 4).cover].join());
  expect(new Set(marks).size).toBe(4);
});

test("a ring is hollow", () => {
  const { dx, dy } = stampOf("ring", 4);
  expect([...dx].some((x, at) => x === 0 && dy[at] === 0)).toBe(false);
});

test.each([1, 2, 7, 1000])("the mixed order of %s rows holds each once", (count) => {
  const rows = Array.from({ length: count }, (_, at) => shuffledIndex(at, count));
  expect(rows.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, row) => row));
});

test("far rows come first", () => {
  expect([...farFirst(new Float32Array([0.2, 1, 0, 0.7]))]).toEqual([1, 3, 0, 2]);
});
