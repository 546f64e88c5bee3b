import { describe, expect, test } from "vitest";
import { emptyPlaces, type Places } from "./camera";
import { BACK, CHOSEN, farFirst, HIDDEN, type Image, mix, PLAIN, rgba, shuffled, splat } from "./splat";
import { SHAPES, stampOf } from "./stamps";

const RED = 0xff0000;
const BLUE = 0x0000ff;
const WHITE = 0xffffff;
const PALETTE = { colors: [RED, BLUE], shapes: [0, 0], paper: WHITE };

function image(width = 40, height = 40): Image {
  return { width, height, pixels: new Uint32Array(width * height) };
}

function at(...points: readonly [number, number, number?][]): Places {
  const places = emptyPlaces(points.length);
  points.forEach(([x, y, far = 0], row) => {
    places.x[row] = x;
    places.y[row] = y;
    places.far[row] = far;
  });
  return places;
}

function look(states: readonly number[], codes = states.map((_, row) => row % 2)) {
  return { codes: Uint8Array.from(codes), states: Uint8Array.from(states), palette: PALETTE };
}

const pixel = ({ pixels, width }: Image, x: number, y: number) => pixels[y * width + x];

describe("splat", () => {
  test("a point has its colour in the middle, paper is around it", () => {
    const made = image();
    splat(made, at([20, 10]), look([PLAIN]), false, 1);
    expect([pixel(made, 20, 10), pixel(made, 20, 20)]).toEqual([rgba(RED), rgba(WHITE)]);
  });

  test("device pixels scale places and points", () => {
    const made = image();
    splat(made, at([10, 5]), look([PLAIN]), false, 2);
    expect([pixel(made, 20, 10), pixel(made, 26, 10)]).toEqual([rgba(RED), rgba(RED)]);
  });

  test("what is chosen lies over what is plain, and that over what is set back", () => {
    const both = at([20, 20], [20, 20]);
    const [first, second] = [image(), image()];
    splat(first, both, look([CHOSEN, PLAIN]), false, 1);
    splat(second, both, look([PLAIN, BACK]), false, 1);
    expect([pixel(first, 20, 20), pixel(second, 20, 20)]).toEqual([rgba(RED), rgba(RED)]);
  });

  test("what is set back is pale, what is hidden is not there", () => {
    const made = image();
    splat(made, at([10, 10], [30, 30]), look([BACK, HIDDEN]), false, 1);
    expect([pixel(made, 10, 10), pixel(made, 30, 30)]).toEqual([rgba(mix(WHITE, RED, 0.22)), rgba(WHITE)]);
  });

  test("near points lie over far ones", () => {
    const made = image();
    splat(made, at([20, 20, 1], [20, 20, 0]), look([PLAIN, PLAIN]), true, 1);
    expect(pixel(made, 20, 20)).toBe(rgba(BLUE));
  });

  test("points at and beyond the edges are cut, not wrapped, and those outside are not counted", () => {
    const made = image();
    const drawn = splat(
      made,
      at([0, 0], [39, 39], [-50, 5], [Number.NaN, 5]),
      look([0, 0, 0, 0], [0, 0, 0, 0]),
      false,
      1,
    );
    expect([drawn, pixel(made, 0, 0), pixel(made, 39, 39), pixel(made, 39, 0)]).toEqual([
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
  const rows = Array.from({ length: count }, (_, turn) => shuffled(turn, count));
  expect(rows.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, row) => row));
});

test("far rows come first", () => {
  expect([...farFirst(new Float32Array([0.2, 1, 0, 0.7]))]).toEqual([1, 3, 0, 2]);
});
